import GraphQLLanguage

/// The names of a module's tags at file scope.
///
/// Swift tracks the names that a file declares at file scope, including private ones. When a
/// declaration at file scope changes, such as a tag, Swift also recompiles every other file that
/// declares one of the changed file's names.
package struct TagNames {
  /// The rule of the warnings, which do not depend on the schema.
  static let rule = "tag-names"

  private typealias Position = (path: String, bytes: ContiguousArray<UInt8>, offset: UInt32)

  /// The first tag with each name.
  private var first: [String: Position] = [:]

  /// Returns a warning for each tag named like a tag in another file.
  package static func diagnostics(for files: [ParsedFile]) -> [Diagnostic] {
    var names = TagNames()
    return files.flatMap { names.add($0) }
  }

  private mutating func add(_ parsed: ParsedFile) -> [Diagnostic] {
    let file = parsed.file
    return parsed.tags.compactMap { tag in
      guard let name = tag.fileScopeName else { return nil }
      guard let other = first[name.text] else {
        first[name.text] = (file.path, file.bytes, name.offset)
        return nil
      }
      if other.path == file.path { return nil }
      let end = name.offset + UInt32(truncatingIfNeeded: name.text.utf8.count)
      let place = LineIndex(other.bytes).location(path: other.path, offset: other.offset)
      return Diagnostic(
        severity: .warning, rule: Self.rule,
        message:
          "The tag at \(place) is called \"\(name.text)\" too. "
          + "When one of them changes, Swift recompiles both files.",
        at: Span(start: name.offset, end: end, source: parsed.text),
        help: "Give it a unique name, or make it a static let of the type it belongs to.")
    }
  }
}
