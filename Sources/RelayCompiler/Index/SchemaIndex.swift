import Foundation
import GraphQLLanguage

/// An index of a schema's SDL. Without parsing the schema, it extracts the subset that documents
/// can refer to.
///
/// An index is built from a valid schema and contains a copy of the SDL, so it is valid only for
/// exactly those bytes. ``SchemaCache`` writes it to a file. A checksum detects corruption.
///
/// The subset contains the types reachable from the root types and from the types named in the
/// documents, following only fields whose names occur in the documents. Object types and interfaces
/// in the subset have only those fields; other types are complete. The subtypes of a reachable
/// abstract type are included too, but their fields are not followed. For exact diagnostics,
/// invalid documents need the entire schema.
///
/// The file consists of 32-bit words in the machine's byte order, followed by the copy of the
/// schema and the name bytes, padded to a multiple of eight. The words are:
///
/// - A header of ``headerCount`` words: ``magic``, the file's size in bytes, the number of words,
///   the size of the schema in bytes, the number of names, the number of types, the checksum, and a
///   reserved word.
/// - For each name, in bytewise order: its offset and length in the name bytes, and the index of
///   the type with that name, or `UInt32.max`.
/// - For each type: the index of the first word of its entry.
/// - The list of the types that are always included: the root types and the types of directives'
///   arguments. A list is a count and its elements.
/// - The list of the byte ranges that are always included: schema and directive definitions.
/// - The entries of the types; see ``TypeEntry``.
package struct SchemaIndex {
  static let magic: UInt32 = 0x5253_4931
  static let headerCount = 8

  /// The names that the compiler looks up even if no document contains them.
  static let impliedNames = [
    "id", "node", "nodes", "viewer", "edges", "cursor", "pageInfo", "endCursor", "hasNextPage",
    "hasPreviousPage", "startCursor", "Node", "Viewer", "Query", "PageInfo", "String", "ID",
    "Boolean", "Int", "Float",
  ]
  /// The prefix of fields that `@refetchable` may use even if no document contains them.
  static let impliedPrefix = "fetch__"

  private let bytes: ContiguousArray<UInt8>
  private let wordCount: Int
  private let schemaStart: Int
  private let schemaCount: Int
  private let nameCount: Int
  private let typeCount: Int
  private let textStart: Int

  /// Reads an index; `nil` if it is corrupted or belongs to another schema.
  package init?(_ bytes: ContiguousArray<UInt8>, of schema: ContiguousArray<UInt8>) {
    self.bytes = bytes
    guard bytes.count >= Self.headerCount * 4 else { return nil }
    let header = (0..<Self.headerCount).map { Self.word($0, in: bytes) }
    wordCount = Int(header[2])
    schemaStart = wordCount * 4
    schemaCount = Int(header[3])
    nameCount = Int(header[4])
    typeCount = Int(header[5])
    textStart = schemaStart + schemaCount
    guard header[0] == Self.magic, Int(header[1]) == bytes.count, wordCount >= Self.headerCount,
      textStart <= bytes.count, schemaCount == schema.count,
      Self.headerCount + nameCount * 3 + typeCount <= wordCount,
      header[6] == Self.checksum(of: bytes, words: wordCount, textStart: textStart),
      Self.isSame(schema, bytes, from: schemaStart)
    else { return nil }
  }

  /// Returns a hash of the file without the schema copy, which is compared byte by byte.
  static func checksum(of bytes: ContiguousArray<UInt8>, words: Int, textStart: Int) -> UInt32 {
    bytes.withUnsafeBytes { buffer in
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for index in [1, 2, 3, 4, 5, 7] {
        hash ^= UInt64(buffer.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
        hash = hash &* 0x100_0000_01b3
      }
      var offset = headerCount * 4
      while offset + 4 <= words * 4 {
        hash = (hash ^ UInt64(buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        hash = hash &* 0x100_0000_01b3
        offset += 4
      }
      offset = textStart
      while offset + 8 <= buffer.count {
        hash = (hash ^ buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        hash = hash &* 0x100_0000_01b3
        hash ^= hash >> 29
        offset += 8
      }
      return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }
  }

  private static func isSame(
    _ schema: ContiguousArray<UInt8>, _ bytes: ContiguousArray<UInt8>, from start: Int
  ) -> Bool {
    schema.withUnsafeBytes { schema in
      bytes.withUnsafeBytes { bytes in
        let copy = UnsafeRawBufferPointer(rebasing: bytes[start..<start + schema.count])
        guard let left = schema.baseAddress, let right = copy.baseAddress else { return true }
        return memcmp(left, right, schema.count) == 0
      }
    }
  }

  // MARK: Reading

  private static func word(_ index: Int, in bytes: ContiguousArray<UInt8>) -> UInt32 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self) }
  }

  private func word(_ index: Int) -> Int {
    index < wordCount ? Int(Self.word(index, in: bytes)) : 0
  }

  /// Returns the index of a name, found by binary search; `nil` if the schema does not contain the
  /// name.
  private func index(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { name in
      bytes.withUnsafeBytes { bytes in
        var low = 0
        var high = nameCount
        while low < high {
          let middle = (low + high) / 2
          let entry = Self.headerCount + middle * 3
          let start = textStart + word(entry)
          let count = word(entry + 1)
          guard start + count <= bytes.count else { return nil }
          let text = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
          let order = Self.compare(UnsafeRawBufferPointer(name), text)
          if order == 0 { return middle }
          if order < 0 { high = middle } else { low = middle + 1 }
        }
        return nil
      }
    }
  }

  private static func compare(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let a = left.baseAddress, let b = right.baseAddress {
      let order = memcmp(a, b, common)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  // MARK: The subset of a schema

  /// Returns the SDL of the subset that documents with these names can refer to, in schema order.
  package func subset(for names: [String]) -> ContiguousArray<UInt8> {
    var isNamed = [Bool](repeating: false, count: nameCount)
    for name in names + Self.impliedNames {
      if let index = index(of: name) { isNamed[index] = true }
    }
    var reached = [Bool](repeating: false, count: typeCount)
    var mentioned = reached
    var queue: [Int] = []
    func reach(_ type: Int) {
      guard type < typeCount, !reached[type] else { return }
      reached[type] = true
      mentioned[type] = true
      queue.append(type)
    }
    var cursor = Self.headerCount + nameCount * 3 + typeCount
    for type in list(at: &cursor) { reach(type) }
    for index in isNamed.indices where isNamed[index] {
      reach(word(Self.headerCount + index * 3 + 2))
    }
    while let type = queue.popLast() {
      let entry = TypeEntry(at: word(Self.headerCount + nameCount * 3 + type), of: self)
      for member in entry.subtypes where member < typeCount { mentioned[member] = true }
      for field in entry.fields where entry.isInput || field.isImplied || isNamed[field.name] {
        for type in field.types { reach(type) }
      }
    }
    return text(of: mentioned, isNamed: isNamed)
  }

  private func text(of mentioned: [Bool], isNamed: [Bool]) -> ContiguousArray<UInt8> {
    var slices: [(start: Int, end: Int, closes: Bool)] = []
    var cursor = Self.headerCount + nameCount * 3 + typeCount
    _ = list(at: &cursor)
    let always = list(at: &cursor)
    for index in stride(from: 0, to: always.count - 1, by: 2) {
      slices.append((always[index], always[index + 1], false))
    }
    for type in mentioned.indices where mentioned[type] {
      let entry = TypeEntry(at: word(Self.headerCount + nameCount * 3 + type), of: self)
      for (index, definition) in entry.definitions.enumerated() {
        slices.append((definition.start, definition.body, false))
        guard definition.body < definition.end else { continue }
        for field in entry.fields
        where field.definition == index && (field.isImplied || isNamed[field.name]) {
          slices.append((field.start, field.end, false))
        }
        slices.append((0, 0, true))
      }
    }
    var result = ContiguousArray<UInt8>()
    // Closes a type's braces. They must not be empty, so a field is added.
    let close = Array(" __none: Int }\n".utf8)
    bytes.withUnsafeBytes { bytes in
      for slice in slices {
        if slice.closes {
          result.append(contentsOf: close)
        } else if slice.start <= slice.end, slice.end <= schemaCount {
          result.append(
            contentsOf: UnsafeRawBufferPointer(
              rebasing: bytes[schemaStart + slice.start..<schemaStart + slice.end]))
          result.append(UInt8(ascii: "\n"))
        }
      }
    }
    return result
  }

  /// Reads a list, a count followed by its elements, and moves the cursor to its end.
  fileprivate func list(at cursor: inout Int) -> [Int] {
    let count = min(word(cursor), max(0, wordCount - cursor - 1))
    let result = (0..<count).map { word(cursor + 1 + $0) }
    cursor += count + 1
    return result
  }

  /// The entry of one type. Its words are:
  ///
  /// - 1 for an input object, otherwise 0.
  /// - The list of the byte ranges of its definition and its extensions: for each the start, the
  ///   start of the first field, and the end. For a type without output fields the latter two are
  ///   equal, and the range is copied in one piece.
  /// - The list of its subtypes if it is abstract.
  /// - The number of fields, and for each field a list: its name, the start and end of its byte
  ///   range, the index of its definition or extension, 1 if it is always included or else 0, and
  ///   the types of the field and its arguments.
  ///
  /// Offsets are relative to the start of the schema.
  private struct TypeEntry {
    /// The byte range of a definition or extension, and the start of its first field.
    struct DefinitionRange { let start, body, end: Int }
    struct Field {
      let name, start, end, definition: Int
      let isImplied: Bool
      let types: [Int]
    }

    let isInput: Bool
    let definitions: [DefinitionRange]
    let subtypes: [Int]
    let fields: [Field]

    init(at start: Int, of index: SchemaIndex) {
      var cursor = start
      isInput = index.word(cursor) == 1
      cursor += 1
      let offsets = index.list(at: &cursor)
      definitions = stride(from: 0, to: offsets.count - 2, by: 3).map {
        DefinitionRange(start: offsets[$0], body: offsets[$0 + 1], end: offsets[$0 + 2])
      }
      subtypes = index.list(at: &cursor)
      let count = min(index.word(cursor), index.wordCount)
      cursor += 1
      var fields: [Field] = []
      for _ in 0..<count {
        let words = index.list(at: &cursor)
        guard words.count >= 5, words[0] < index.nameCount else { continue }
        fields.append(
          Field(
            name: words[0], start: words[1], end: words[2], definition: words[3],
            isImplied: words[4] == 1, types: Array(words[5...])))
      }
      self.fields = fields
    }
  }
}
