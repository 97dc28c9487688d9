import Foundation

/// A scanner for the `graphql("…")` tags in one Swift source file.
///
/// The scanner implements the portion of Swift's lexical grammar that can hide or imitate a tag:
/// comments (nested), string literals (raw, multi-line, with interpolations) and regular
/// expressions.
package struct TagScanner {
  /// The tags and errors in a file, in source order.
  package struct Result: Sendable {
    package var tags: [Tag] = []
    package var errors: [TagError] = []
  }

  let cursor: SwiftCursor

  /// Scans the bytes of a Swift file.
  ///
  /// - Complexity: O(*n*) in the bytes; a file without the word `graphql` costs one search.
  package static func scan(_ bytes: ContiguousArray<UInt8>) -> Result {
    bytes.withUnsafeBufferPointer { buffer in
      guard buffer.firstRange(ofWord: "graphql") != nil else { return Result() }
      var result = Result()
      TagScanner(cursor: SwiftCursor(bytes: buffer)).scan(into: &result)
      return result
    }
  }

  private func scan(into result: inout Result) {
    var position = 0
    var previousWord: Range<Int>?
    var binding = FileScopeBinding()
    while position < cursor.count {
      let byte = cursor[position]
      if SwiftCursor.isIdentifier(byte) {
        let end = cursor.endOfIdentifier(position)
        if isTagName(position..<end, after: previousWord),
          let literal = literalStart(after: end)
        {
          position = readTag(literal, name: binding.initializedName, into: &result)
          binding.readTag()
          previousWord = nil
        } else {
          binding.read(word: position..<end, in: cursor)
          previousWord = position..<end
          position = end
        }
        continue
      }
      binding.read(token: byte)
      do {
        position = try cursor.endOfToken(position)
      } catch {
        result.errors.append(error)
        position = cursor.count
      }
    }
  }

  /// Returns whether the identifier `word` calls the marker function; `false` if it is part of a
  /// declaration, member or macro.
  private func isTagName(_ word: Range<Int>, after previous: Range<Int>?) -> Bool {
    guard cursor.text(word, equals: "graphql") else { return false }
    if let previous, cursor.text(previous, equals: "func"),
      cursor.isBlank(previous.upperBound..<word.lowerBound)
    {
      return false
    }
    guard word.lowerBound > 0 else { return true }
    switch cursor[word.lowerBound - 1] {
    case UInt8(ascii: "."):
      guard let previous, previous.upperBound == word.lowerBound - 1 else { return false }
      return cursor.text(previous, equals: "RelayStore")
    case UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "`"), UInt8(ascii: "$"): return false
    default: return true
    }
  }

  /// Returns the offset of the literal in `graphql ( "…`; `nil` if no literal follows.
  private func literalStart(after end: Int) -> Int? {
    guard let open = try? cursor.skipTrivia(end), open < cursor.count,
      cursor[open] == UInt8(ascii: "("),
      let start = try? cursor.skipTrivia(open + 1), start < cursor.count,
      cursor.literal(at: start) != nil
    else { return nil }
    return start
  }

  /// Reads the literal at `start` and its closing parenthesis.
  ///
  /// - Parameter name: The range of the file-scope name that the tag initializes.
  /// - Returns: The offset where scanning resumes.
  private func readTag(_ start: Int, name: Range<Int>?, into result: inout Result) -> Int {
    guard let literal = cursor.literal(at: start) else { return start + 1 }
    do throws(TagError) {
      let end = try cursor.endOfLiteral(start)
      let count = result.tags.count
      do {
        var tag = try LiteralDecoder.decode(literal, end: end, in: cursor)
        tag.fileScopeName = name.map {
          Tag.Name(
            text: String(decoding: cursor.bytes[$0], as: UTF8.self),
            offset: UInt32(truncatingIfNeeded: $0.lowerBound))
        }
        result.tags.append(tag)
      } catch {
        result.errors.append(error)
      }
      do throws(TagError) { return try readClosing(end) } catch {
        for index in count..<result.tags.count { result.tags[index].isOnlyArgument = false }
        throw error
      }
    } catch {
      result.errors.append(error)
      return cursor.recovery(from: start, literal: literal)
    }
  }

  private func readClosing(_ end: Int) throws(TagError) -> Int {
    var close = try cursor.skipTrivia(end)
    if close < cursor.count, cursor[close] == UInt8(ascii: ",") {
      close = try cursor.skipTrivia(close + 1)
    }
    guard close < cursor.count, cursor[close] == UInt8(ascii: ")") else {
      throw TagError(
        message: "A graphql tag takes exactly one string literal. Put the "
          + "entire document into it.", offset: min(close, cursor.count))
    }
    return close + 1
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Finds the first occurrence of an ASCII word: `memchr` finds its first byte, and a comparison
  /// checks the rest.
  package func firstRange(ofWord word: StaticString) -> Range<Int>? {
    let length = word.utf8CodeUnitCount
    guard let base = baseAddress, count >= length else { return nil }
    var start = 0
    while start <= count - length {
      guard
        let found = memchr(base + start, Int32(word.utf8Start.pointee), count - length - start + 1)
      else { return nil }
      let offset = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
      if memcmp(base + offset, word.utf8Start, length) == 0 { return offset..<offset + length }
      start = offset + 1
    }
    return nil
  }
}
