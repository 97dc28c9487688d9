/// Random choices that are the same for one seed.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Source: SplitMix64, G. L. Steele and others, "Fast splittable pseudorandom number generators", 2014.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// True in so many of a hundred throws.
  mutating func percent(_ chance: Int) -> Bool { Int.random(in: 0..<100, using: &self) < chance }

  mutating func roll(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// Some of the elements, in their order.
  mutating func some<Element>(of elements: [Element], percent chance: Int) -> [Element] {
    var result: [Element] = []
    for element in elements where percent(chance) { result.append(element) }
    return result
  }
}
