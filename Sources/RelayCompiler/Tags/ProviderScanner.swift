/// A scanner for static members named `get` in Swift source. It finds each one's type and whether
/// it is nonisolated.
///
/// The scanner recognizes only braces, modifiers and names in Swift's grammar. It does not find
/// members declared by a macro or a superclass.
package struct ProviderScanner {
  /// A declaration of a static `get` in a type or an extension.
  package struct Getter: Equatable {
    /// The last component of the type's name.
    let type: String
    /// Whether the member, its type or extension, or an enclosing one is declared nonisolated.
    let isNonisolated: Bool
    /// The byte offset of the name `get`.
    let offset: UInt32
  }

  /// A pair of braces around the scanner's position.
  private struct Scope {
    /// The last component of the type's name; `nil` for other braces.
    var type: Range<Int>?
    var isNonisolated: Bool
  }

  private let cursor: SwiftCursor
  private var scopes: [Scope] = []
  /// The type or extension before the next opening brace.
  private var head: Scope?
  /// The modifiers since the last declaration.
  private var isNonisolated = false
  private var isStatic = false
  /// The keyword before the next name.
  private var keyword: Keyword?
  private var getters: [Getter] = []

  private enum Keyword { case type, actor, member }

  /// Returns the declarations in a Swift file.
  ///
  /// - Complexity: O(*n*) in the bytes.
  static func scan(_ bytes: ContiguousArray<UInt8>) -> [Getter] {
    bytes.withUnsafeBufferPointer { buffer in
      guard buffer.firstRange(ofWord: "get") != nil else { return [] }
      var scanner = ProviderScanner(cursor: SwiftCursor(bytes: buffer))
      scanner.scan()
      return scanner.getters
    }
  }

  private init(cursor: SwiftCursor) { self.cursor = cursor }

  private mutating func scan() {
    var position = 0
    while position < cursor.count {
      if SwiftCursor.isIdentifier(cursor[position]) {
        let end = cursor.endOfIdentifier(position)
        read(word: position..<end)
        position = end
        continue
      }
      read(token: cursor[position])
      // The tag scanner or Swift reports unreadable tokens.
      guard let end = try? cursor.endOfToken(position) else { return }
      position = end
    }
  }

  private mutating func read(word: Range<Int>) {
    let isMember = word.lowerBound > 0 && cursor[word.lowerBound - 1] == UInt8(ascii: ".")
    if isMember {
      // A further component of an extension's name.
      if let type = head?.type, type.upperBound == word.lowerBound - 1 { head?.type = word }
    } else if let next = keyword(word) {
      // `class` before another keyword is a modifier.
      if keyword == .type { isStatic = true }
      keyword = next
    } else if let keyword {
      declare(word, keyword)
    } else if cursor.text(word, equals: "nonisolated") {
      isNonisolated = true
    } else if cursor.text(word, equals: "static") {
      isStatic = true
    }
  }

  private func keyword(_ word: Range<Int>) -> Keyword? {
    let types: [StaticString] = ["enum", "struct", "class", "extension", "protocol"]
    let members: [StaticString] = ["func", "let", "var"]
    if types.contains(where: { cursor.text(word, equals: $0) }) { return .type }
    if keyword == nil, cursor.text(word, equals: "actor") { return .actor }
    return members.contains { cursor.text(word, equals: $0) } ? .member : nil
  }

  private mutating func declare(_ name: Range<Int>, _ keyword: Keyword) {
    switch keyword {
    case .type, .actor:
      head = Scope(type: name, isNonisolated: isNonisolated || keyword == .actor)
    case .member:
      if isStatic, cursor.text(name, equals: "get"), let type = scopes.last?.type {
        let isNonisolated = isNonisolated || scopes.contains(where: \.isNonisolated)
        getters.append(
          Getter(
            type: String(decoding: cursor.bytes[type], as: UTF8.self),
            isNonisolated: isNonisolated, offset: UInt32(truncatingIfNeeded: name.lowerBound)))
      }
    }
    endModifiers()
  }

  private mutating func read(token byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"):
      scopes.append(head ?? Scope(type: nil, isNonisolated: false))
      head = nil
      endModifiers()
    case UInt8(ascii: "}"):
      _ = scopes.popLast()
      endModifiers()
    default: break
    }
  }

  private mutating func endModifiers() {
    isNonisolated = false
    isStatic = false
    keyword = nil
  }
}
