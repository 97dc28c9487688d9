/// A reader of the calls in a `Package.swift`.
struct ManifestCallReader {
  /// An open bracket.
  private struct Bracket {
    /// The index of the call whose arguments the bracket opens.
    var call: Int?
    /// The index of the innermost open call bracket, possibly this one.
    var innermostCall: Int?
    // The current argument, if the bracket opens a call's arguments.
    var label: String?
    var start: Int
    /// The offset after the last token of the argument.
    var end: Int
    var hasBrackets = false
    var literals: [String] = []
    var isPlain = true
  }

  private let cursor: SwiftCursor
  private var brackets: [Bracket] = []
  /// The calls, each before its nested calls.
  private(set) var calls: [ManifestCall] = []

  /// Reads the calls in a manifest. If it is not valid Swift, reads the calls before the mistake.
  ///
  /// - Complexity: O(*n*) in the bytes.
  static func calls(in bytes: ContiguousArray<UInt8>) -> [ManifestCall] {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = ManifestCallReader(cursor: SwiftCursor(bytes: buffer))
      try? reader.read()
      while !reader.brackets.isEmpty { reader.close() }
      return reader.calls
    }
  }

  private init(cursor: SwiftCursor) { self.cursor = cursor }

  private mutating func read() throws(TagError) {
    var position = try cursor.skipTrivia(0)
    while position < cursor.count {
      let start = position
      switch cursor[start] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        position += 1
        try open(call: nil, at: position)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        close()
        position += 1
      case UInt8(ascii: ",") where brackets.last?.call != nil:
        position += 1
        try nextArgument(at: position)
      case let byte where SwiftCursor.isIdentifier(byte):
        position = try readIdentifier(start)
      default:
        position = try cursor.endOfToken(start)
        if let call = brackets.last?.innermostCall { add(start..<position, to: call) }
      }
      // An argument excludes its label and the comma before it.
      if !brackets.isEmpty, position > brackets[brackets.count - 1].start {
        brackets[brackets.count - 1].end = position
      }
      position = try cursor.skipTrivia(position)
    }
  }

  /// Adds a token that is neither a bracket nor a name to the current argument of a call's bracket.
  private mutating func add(_ token: Range<Int>, to bracket: Int) {
    if let text = plainText(of: token) {
      brackets[bracket].literals.append(text)
    } else if cursor[token.lowerBound] != UInt8(ascii: "."),
      cursor[token.lowerBound] != UInt8(ascii: ",")
    {
      brackets[bracket].isPlain = false
    }
  }

  /// Reads a name and a following bracket or colon.
  private mutating func readIdentifier(_ start: Int) throws(TagError) -> Int {
    let end = cursor.endOfIdentifier(start)
    let word = String(decoding: cursor.bytes[start..<end], as: UTF8.self)
    let next = try cursor.skipTrivia(end)
    if cursor.has(UInt8(ascii: "("), at: next) {
      let outer = brackets.last?.innermostCall.map { brackets[$0] }
      let isMember = start > 0 && cursor[start - 1] == UInt8(ascii: ".")
      calls.append(
        ManifestCall(name: word, isMember: isMember, parent: outer?.call, label: outer?.label))
      try open(call: calls.count - 1, at: next + 1)
      return next + 1
    }
    if let bracket = brackets.last, bracket.call != nil, bracket.start == start,
      cursor.has(UInt8(ascii: ":"), at: next)
    {
      brackets[brackets.count - 1].label = word
      let argument = try cursor.skipTrivia(next + 1)
      brackets[brackets.count - 1].start = argument
      brackets[brackets.count - 1].end = argument
      return next + 1
    }
    let isMember = start > 0 && cursor[start - 1] == UInt8(ascii: ".")
    if !isMember, let call = brackets.last?.innermostCall { brackets[call].isPlain = false }
    return end
  }

  private mutating func open(call: Int?, at position: Int) throws(TagError) {
    if !brackets.isEmpty { brackets[brackets.count - 1].hasBrackets = true }
    let innermost = call == nil ? brackets.last?.innermostCall : brackets.count
    let start = try cursor.skipTrivia(position)
    brackets.append(Bracket(call: call, innermostCall: innermost, start: start, end: start))
  }

  private mutating func close() {
    endArgument()
    brackets.removeLast(min(1, brackets.count))
  }

  private mutating func nextArgument(at position: Int) throws(TagError) {
    endArgument()
    guard let bracket = brackets.popLast() else { return }
    let start = try cursor.skipTrivia(position)
    brackets.append(
      Bracket(call: bracket.call, innermostCall: bracket.innermostCall, start: start, end: start))
  }

  /// Adds the current argument of the innermost bracket to its call.
  private mutating func endArgument() {
    guard let bracket = brackets.last, let call = bracket.call,
      bracket.label != nil || bracket.end > bracket.start
    else { return }
    let range = bracket.start..<bracket.end
    calls[call].arguments.append(
      ManifestCall.Argument(
        label: bracket.label,
        text: bracket.hasBrackets ? nil : String(decoding: cursor.bytes[range], as: UTF8.self),
        literal: plainText(of: range), literals: bracket.literals, isPlain: bracket.isPlain))
  }

  /// Returns the contents of the string literal at a range; `nil` if the range is anything else or
  /// the literal has escapes.
  private func plainText(of range: Range<Int>) -> String? {
    guard !range.isEmpty, let literal = cursor.literal(at: range.lowerBound), !literal.isMultiline,
      (try? cursor.endOfLiteral(range.lowerBound)) == range.upperBound
    else { return nil }
    let content = cursor.bytes[literal.contentStart..<range.upperBound - literal.closingLength]
    return content.contains(UInt8(ascii: "\\")) ? nil : String(decoding: content, as: UTF8.self)
  }
}
