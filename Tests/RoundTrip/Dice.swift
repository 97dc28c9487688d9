import SeededRandom

/// Random choices that are reproducible from a seed.
struct Dice: RandomNumberGenerator {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> UInt64 { generator.next() }

  /// Returns `true` with a probability of `chance` percent.
  mutating func percent(_ chance: Int) -> Bool { Int.random(in: 0..<100, using: &self) < chance }

  mutating func roll(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// Returns a random subset of `elements` in their order, each with a probability of `chance`
  /// percent.
  mutating func some<Element>(of elements: [Element], percent chance: Int) -> [Element] {
    var result: [Element] = []
    for element in elements where percent(chance) { result.append(element) }
    return result
  }
}
