/// The type names that occur in a response, by index.
struct ResponseTypes {
  private(set) var names: [String]
  /// The bytes of all names, and the end offset of each.
  private var bytes: ContiguousArray<UInt8> = []
  private var ends: ContiguousArray<Int> = []
  /// The indexes of the names after the first ``searchLimit``. The first ones are searched
  /// linearly.
  private var indexes: [ByteString: Int32] = [:]
  private static let searchLimit = 32

  init(_ names: [String]) {
    self.names = []
    for name in names { add(name) }
  }

  /// Returns the name at an index; `nil` for -1.
  func name(at index: Int32) -> String? { index < 0 ? nil : names[Int(index)] }

  /// Returns the index of a name, adding the name if it is new.
  ///
  /// - Parameters:
  ///   - name: The bytes of the name; read only during the call, and copied if new.
  ///   - expected: The likely index; -1 for no guess.
  mutating func index(of name: UnsafeRawBufferPointer, expected: Int32) -> Int32 {
    if expected >= 0, isName(at: Int(expected), name) { return expected }
    if let index = names.indices.prefix(Self.searchLimit).first(where: { isName(at: $0, name) }) {
      return Int32(index)
    }
    let text = name.text
    // A server can send a different name for every object, so later names are hashed.
    if names.count > Self.searchLimit, let index = indexes[ByteString(text)] { return index }
    add(text)
    return Int32(names.count - 1)
  }

  /// Returns whether the name at an index has the bytes of `name`.
  private func isName(at index: Int, _ name: UnsafeRawBufferPointer) -> Bool {
    let start = index == 0 ? 0 : ends[index - 1]
    return bytes.withUnsafeBytes {
      UnsafeRawBufferPointer(rebasing: $0[start..<ends[index]]).hasSameBytes(as: name)
    }
  }

  private mutating func add(_ name: String) {
    if names.count >= Self.searchLimit { indexes[ByteString(name)] = Int32(names.count) }
    names.append(name)
    bytes.append(contentsOf: name.utf8)
    ends.append(bytes.count)
  }
}
