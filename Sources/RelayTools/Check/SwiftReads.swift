import GraphQLLanguage
import RelayCompiler

/// The accesses to members in a project's Swift code, by name.
///
/// Without a Swift parser, an access counts as a read of a field if its file contains the document,
/// or names the type generated for it.
struct SwiftReads {
  private struct File {
    let path: String
    let lines: LineIndex
    /// The offsets of the words after a dot, by word.
    var members: [String: [Int]] = [:]
    var words: Set<String> = []
  }

  private let files: [File]

  init(_ sources: [CompilationInput.SourceFile]) {
    files = sources.filter { $0.path.hasSuffix(".swift") }.map { source in
      var file = File(path: source.path, lines: LineIndex(source.bytes))
      SwiftWords.forEach(in: source.bytes, skipsTags: true) { word, range in
        file.words.insert(word)
        let before = source.bytes[..<range.lowerBound].last
        if before == UInt8(ascii: ".") { file.members[word, default: []].append(range.lowerBound) }
      }
      return file
    }
  }

  /// Returns the accesses to a member.
  ///
  /// - Parameters:
  ///   - type: The generated type of the definition that selects the field.
  ///   - path: The file of the definition.
  func locations(reading name: String, of type: String, or path: String) -> [SourceLocation] {
    let name = name.filter { $0 != "`" }
    return files.flatMap { file -> [SourceLocation] in
      guard let offsets = file.members[name], file.path == path || file.words.contains(type) else {
        return []
      }
      return offsets.map {
        file.lines.location(path: file.path, offset: UInt32(truncatingIfNeeded: $0))
      }
    }
  }
}
