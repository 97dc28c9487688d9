import RelayStore

/// The encoder's numbers for storage keys and type names in persisted records.
struct PersistedNames {
  /// The name of each number; `nil` for a free number.
  private var texts: [String?] = []
  private var freeNumbers: [UInt32] = []
  /// The number of each storage key, by raw value; `UInt32.max` until it is used.
  private var keyNumbers: [UInt32] = []
  private var keyTexts: [String] = []
  /// The storage key of each number; `nil` for a type name.
  private var keys: [FieldKey?] = []
  private var typeNumbers: [ByteString: UInt32] = [:]
  /// The rows that have changed.
  private var changedRows: Set<Int> = []
  /// The number of names in a row.
  private static let rowSize = 64

  init() {}

  /// Creates the names that were loaded.
  ///
  /// - Parameters:
  ///   - texts: The name of each number.
  ///   - keys: The storage key of each name; `nil` for a type name.
  ///   - unused: The numbers that no record uses.
  init(texts: [String?], keys: [FieldKey?], unused: [UInt32]) {
    self.texts = texts
    self.keys = keys
    for number in unused {
      self.texts[Int(number)] = nil
      changedRows.insert(Int(number) / Self.rowSize)
    }
    for (number, key) in keys.enumerated() {
      if let key {
        extendKeys(to: Int(key.rawValue) + 1)
        keyNumbers[Int(key.rawValue)] = UInt32(number)
      } else if let text = self.texts[number] {
        typeNumbers[ByteString(text)] = UInt32(number)
      }
    }
    freeNumbers = texts.indices.filter { self.texts[$0] == nil }.map(UInt32.init).reversed()
  }

  private mutating func extendKeys(to count: Int) {
    guard keyNumbers.count < count else { return }
    keyNumbers.append(contentsOf: repeatElement(.max, count: count - keyNumbers.count))
  }

  /// Adds the store's next storage keys, in the order of their raw values.
  mutating func addKeys(_ texts: some Sequence<String>) {
    keyTexts.append(contentsOf: texts)
    extendKeys(to: keyTexts.count)
  }

  /// The storage keys, by raw value.
  var allKeys: [String] { keyTexts }

  /// The number of storage keys that were added.
  var keyCount: Int { keyTexts.count }

  /// Returns the number of a storage key.
  ///
  /// - Precondition: The key was added.
  @inline(__always)
  mutating func number(of key: FieldKey) -> UInt32 {
    let number = keyNumbers[Int(key.rawValue)]
    return number == .max ? assignNumber(to: key) : number
  }

  private mutating func assignNumber(to key: FieldKey) -> UInt32 {
    let number = assignNumber(to: keyTexts[Int(key.rawValue)], key: key)
    keyNumbers[Int(key.rawValue)] = number
    return number
  }

  /// Returns the number of a type's name.
  mutating func number(of typeName: String) -> UInt32 {
    if let number = typeNumbers[ByteString(typeName)] { return number }
    let number = assignNumber(to: typeName, key: nil)
    typeNumbers[ByteString(typeName)] = number
    return number
  }

  private mutating func assignNumber(to text: String, key: FieldKey?) -> UInt32 {
    let number = freeNumbers.popLast() ?? UInt32(texts.count)
    if number == texts.count {
      texts.append(text)
      keys.append(key)
    } else {
      texts[Int(number)] = text
      keys[Int(number)] = key
    }
    changedRows.insert(Int(number) / Self.rowSize)
    return number
  }

  /// Whether a type name, or the field name of a storage key, is one of the private elements.
  func hasAny(of elements: PrivateElements) -> Bool {
    let fields = Set(elements.fields.compactMap { $0.split(separator: ".").last })
    return zip(texts, keys).contains { text, key in
      guard let text else { return false }
      return key == nil ? elements.types.contains(text) : fields.contains(text.prefix { $0 != "(" })
    }
  }

  /// Returns the storage key of a number.
  func key(of number: UInt32) -> FieldKey? {
    number < keys.count && texts[Int(number)] != nil ? keys[Int(number)] : nil
  }

  /// Returns the rows that have changed since the last call.
  mutating func drainRows() -> [(key: RowKey, bytes: [UInt8]?)] {
    defer { changedRows = [] }
    return changedRows.sorted().map { row in
      var writer = ByteWriter()
      let texts = texts[row * Self.rowSize..<min(texts.count, (row + 1) * Self.rowSize)]
      writer.number(texts.count)
      for (text, key) in zip(texts, keys[texts.indices]) {
        // 0: free; 1: a storage key; 2: a type name.
        writer.byte(text == nil ? 0 : key == nil ? 2 : 1)
        if let text { writer.text(text) }
      }
      return (RowKey(.names, Int64(row)), writer.bytes)
    }
  }

  /// A name that was loaded.
  enum Loaded {
    case free
    case key(String)
    case typeName(String)

    var text: String? {
      switch self {
      case .free: nil
      case .key(let text), .typeName(let text): text
      }
    }
  }

  /// Decodes a row and appends its names.
  ///
  /// - Returns: `false` if the row is damaged, or an earlier row is missing.
  static func load(_ reader: inout ByteReader, row: Int64, into names: inout [Loaded])
    -> Bool
  {
    guard row == names.count / rowSize, names.count % rowSize == 0 else { return false }
    let count = reader.count()
    guard count <= rowSize else { return false }
    for _ in 0..<count {
      switch reader.byte() {
      case 0: names.append(.free)
      case 1: names.append(.key(reader.text()))
      case 2: names.append(.typeName(reader.text()))
      default: return false
      }
    }
    return reader.isValid
  }
}
