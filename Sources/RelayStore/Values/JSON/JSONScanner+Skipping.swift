extension JSONScanner {
  /// Skips the next value and checks that it is valid JSON. Allocates no memory for a value nested
  /// less than 64 levels deep.
  package mutating func skipValue() throws(Failure) {
    var containers = ContainerStack()
    repeat {
      switch try peekKind() {
      case .null: try null()
      case .bool: _ = try bool()
      case .number: _ = try numberRange()
      case .string: _ = try text()
      case .array: if try enter(.array, &containers) { continue }
      case .object: if try enter(.object, &containers) { continue }
      }
      while let kind = containers.last {
        if try next(in: kind, isFirst: false) {
          if kind == .object { try skipKey() }
          break
        }
        containers.removeLast()
      }
    } while containers.last != nil
  }

  /// Opens an array or object.
  ///
  /// - Returns: Whether it has an element, which is next.
  private mutating func enter(
    _ kind: Kind, _ containers: inout ContainerStack
  ) throws(Failure) -> Bool {
    try enter(kind, depth: containers.count)
    guard try next(in: kind, isFirst: true) else { return false }
    containers.append(kind)
    if kind == .object { try skipKey() }
    return true
  }

  private mutating func skipKey() throws(Failure) {
    skipSpace()
    _ = try text()
    try expect(UInt8(ascii: ":"))
  }
}

/// The arrays and objects around a value, one bit each.
private struct ContainerStack {
  private(set) var count = 0
  /// The innermost containers, up to 64. The lowest bit is the last container; 1 means an object.
  private var bits: UInt64 = 0
  private var outer: [UInt64] = []

  var last: JSONScanner.Kind? { count == 0 ? nil : bits & 1 == 1 ? .object : .array }

  mutating func append(_ kind: JSONScanner.Kind) {
    if count > 0, count % 64 == 0 { outer.append(bits) }
    bits = bits << 1 | (kind == .object ? 1 : 0)
    count += 1
  }

  mutating func removeLast() {
    count -= 1
    bits >>= 1
    if count > 0, count % 64 == 0 { bits = outer.popLast() ?? 0 }
  }
}
