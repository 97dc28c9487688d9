import GraphQLLanguage
import RelayCompiler

extension ServedProject {
  /// Whether the sources of the project, or of a module that it uses, may include a file.
  func mayHave(_ canonical: String) -> Bool {
    paths[canonical] != nil || folders.contains { isInside(canonical, $0) }
  }

  /// Whether the project may share files with another one.
  func mayShareFiles(with other: ServedProject) -> Bool {
    folders.contains { folder in
      other.folders.contains {
        isInside(folder, $0) || isInside($0, folder)
      }
    }
  }

  /// Returns the first error that edits would introduce in the project.
  ///
  /// - Parameters:
  ///   - edits: Edits by the canonical path of their file.
  ///   - old: The name that the edits replace.
  mutating func firstError(after edits: [String: [FileEdit]], of old: String) -> Diagnostic? {
    guard var changed = input else { return nil }
    var own: [String: [FileEdit]] = [:]
    for (canonical, edits) in edits {
      if let path = paths[canonical] {
        own[path] = edits.sorted { $0.range.bytes.lowerBound > $1.range.bytes.lowerBound }
      }
    }
    if own.isEmpty { return nil }
    changed.replaceTexts { path, bytes in
      own[path]?.reduce(into: bytes) { bytes, edit in
        bytes.replaceSubrange(edit.range.bytes, with: edit.text.utf8)
      }
    }
    if let source = changed.configuration, let name = own[source.path]?.first?.text {
      changed.options.maxAges[name] = changed.options.maxAges.removeValue(forKey: old)
    }
    return firstError(after: changed)
  }
}
