/// A value with its memoized hash, for keys that are costly to hash and to compare.
///
/// The hash is computed once. Two values are compared only when their hashes are equal.
struct Hashed<Value: Hashable & Sendable>: Hashable, Sendable {
  let value: Value
  private let hash: Int

  init(_ value: Value) {
    self.value = value
    hash = value.hashValue
  }

  static func == (left: Hashed, right: Hashed) -> Bool {
    left.hash == right.hash && left.value == right.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
