/// The members of a JSON object, in the order they were received or written.
///
/// Keys are unique and compared by bytes; setting a key again replaces the value in place.
public struct JSONObject: Sendable {
  /// One key and its value.
  public struct Member: Sendable {
    /// The key, unique in the object.
    public var key: String
    /// The value for the key.
    public var value: JSONValue
  }

  /// The members in order.
  public private(set) var members: [Member] = []
  /// The positions by key, maintained only while there are more members than `scanLimit`.
  private var positions: [ByteString: Int] = [:]
  private static let scanLimit = 8

  /// Creates an object without members.
  public init() {}

  /// Creates an object with these members. If a key repeats, the last value counts.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    for (key, value) in members { self[key] = value }
  }

  /// Accesses the value for a key; assigning `nil` removes the member.
  ///
  /// - Complexity: O(1) to read and to replace, O(*n*) to remove.
  public subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    // Not inlined: its code is long, and a call is cheap compared with the search for the key.
    @inline(never)
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): members[position].value = value
      case (nil, let value?): append(key, value)
      case (let position?, nil): remove(at: position)
      case (nil, nil): break
      }
    }
  }

  /// The keys in order.
  public var keys: [String] { members.map(\.key) }

  /// Whether both objects share their storage or are empty; the objects are then equal.
  ///
  /// - Complexity: O(1).
  func isIdentical(to other: JSONObject) -> Bool {
    if members.isEmpty { return other.members.isEmpty }
    return members.withUnsafeBufferPointer { own in
      other.members.withUnsafeBufferPointer {
        own.baseAddress == $0.baseAddress && own.count == $0.count
      }
    }
  }

  /// Returns the members with these keys, in the order of `keys`.
  package func only(_ keys: [String]) -> JSONObject {
    if keys.isEmpty || isEmpty { return JSONObject() }
    return JSONObject(keys.compactMap { key in self[key].map { (key, $0) } })
  }

  /// The number of members.
  public var count: Int { members.count }

  /// Whether the object has no members.
  public var isEmpty: Bool { members.isEmpty }

  private func position(of key: String) -> Int? {
    if members.count > Self.scanLimit { return positions[ByteString(key)] }
    return members.firstIndex { $0.key.hasSameBytes(as: key) }
  }

  private mutating func append(_ key: String, _ value: JSONValue) {
    members.append(Member(key: key, value: value))
    guard members.count > Self.scanLimit else { return }
    if positions.isEmpty { index() } else { positions[ByteString(key)] = members.count - 1 }
  }

  private mutating func remove(at position: Int) {
    members.remove(at: position)
    positions = [:]
    if members.count > Self.scanLimit { index() }
  }

  private mutating func index() {
    for (position, member) in members.enumerated() { positions[ByteString(member.key)] = position }
  }
}

extension JSONObject: Hashable {
  /// Compares members by key, in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    JSONValue.object(left) == .object(right)
  }

  public func hash(into hasher: inout Hasher) { JSONValue.object(self).hash(into: &hasher) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

extension JSONObject: CustomStringConvertible {
  /// The object as compact JSON.
  public var description: String { JSONValue.object(self).description }
}
