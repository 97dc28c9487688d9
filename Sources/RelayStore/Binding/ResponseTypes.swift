/// The type names that occur in a response, numbered.
struct ResponseTypes {
  private(set) var names: [String]
  /// The bytes of all names, and the end offset of each.
  private var bytes: ContiguousArray<UInt8> = []
  private var ends: ContiguousArray<Int> = []
  /// The numbers of the names after the first ``searchLimit``, which are searched linearly.
  private var numbers: [ByteString: Int32] = [:]
  private static let searchLimit = 32

  init(_ names: [String]) {
    self.names = []
    for name in names { add(name) }
  }

  /// Returns the name of a number; `nil` for -1.
  func name(_ number: Int32) -> String? { number < 0 ? nil : names[Int(number)] }

  /// Returns the number of a name, adding the name if it is new.
  ///
  /// - Parameters:
  ///   - name: The bytes of the name, which are read during the call only and copied if new.
  ///   - expected: The number that it probably has; -1 for no guess.
  mutating func number(_ name: UnsafeRawBufferPointer, expected: Int32) -> Int32 {
    if expected >= 0, isName(Int(expected), name) { return expected }
    if let known = names.indices.prefix(Self.searchLimit).first(where: { isName($0, name) }) {
      return Int32(known)
    }
    let text = name.text
    // A server can send a different name for every object, so the rest is hashed.
    if names.count > Self.searchLimit, let known = numbers[ByteString(text)] { return known }
    add(text)
    return Int32(names.count - 1)
  }

  /// Returns whether the name of a number has the bytes of `name`.
  private func isName(_ number: Int, _ name: UnsafeRawBufferPointer) -> Bool {
    let start = number == 0 ? 0 : ends[number - 1]
    return bytes.withUnsafeBytes {
      UnsafeRawBufferPointer(rebasing: $0[start..<ends[number]]).hasSameBytes(as: name)
    }
  }

  private mutating func add(_ name: String) {
    if names.count >= Self.searchLimit { numbers[ByteString(name)] = Int32(names.count) }
    names.append(name)
    bytes.append(contentsOf: name.utf8)
    ends.append(bytes.count)
  }
}
