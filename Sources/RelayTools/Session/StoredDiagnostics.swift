import GraphQLLanguage

/// The diagnostics of a session's files.
struct StoredDiagnostics {
  private(set) var all: [Diagnostic] = []
  /// The rules that report a mistake once, and at which place depends on who reaches it first.
  private static let orderedRules: Set<String> = [
    "no-fragment-cycles", "overlapping-fields-can-be-merged",
  ]
  /// The files of the sources.
  var files: [SourceID: FileKey] = [:]

  /// Returns the files in which diagnostics are located that concern one of the files.
  func files(touching changed: Set<FileKey>) -> Set<FileKey> {
    all.reduce(into: []) { result, diagnostic in
      if touches(diagnostic, changed) { result.formUnion(locations(of: diagnostic)) }
    }
  }

  /// Returns the files of a slice, except for its roots, whose diagnostics differ from those found.
  func files(differingFrom found: [Diagnostic], in slice: Set<FileKey>, outside roots: Set<FileKey>)
    -> Set<FileKey>
  {
    let others = slice.subtracting(roots)
    if others.isEmpty { return [] }
    let old = Set(all.filter { !touches($0, roots) && !locations(of: $0).isDisjoint(with: others) })
    let new = Set(found.filter { !locations(of: $0).isDisjoint(with: others) })
    let ordered = new.filter { Self.orderedRules.contains($0.rule) }
    return old.symmetricDifference(new).union(ordered).reduce(into: []) { result, diagnostic in
      result.formUnion(locations(of: diagnostic))
    }
  }

  /// Whether the diagnostics that are in none of the files differ from those found.
  func isOutdated(by found: [Diagnostic]) -> Bool {
    let old = Set(all.filter { locations(of: $0).isEmpty })
    return old != Set(found.filter { locations(of: $0).isEmpty })
  }

  /// Replaces the diagnostics that concern files, and those that are in none of them.
  mutating func replace(touching roots: Set<FileKey>, with found: [Diagnostic]) {
    func isReplaced(_ diagnostic: Diagnostic) -> Bool {
      touches(diagnostic, roots) || locations(of: diagnostic).isEmpty
    }
    all = all.filter { !isReplaced($0) } + found.filter(isReplaced)
  }

  private func touches(_ diagnostic: Diagnostic, _ keys: Set<FileKey>) -> Bool {
    diagnostic.spans.contains { span in files[span.source].map(keys.contains) ?? false }
  }

  private func locations(of diagnostic: Diagnostic) -> Set<FileKey> {
    Set(diagnostic.locations.compactMap { files[$0.source] })
  }
}

extension Diagnostic {
  /// The locations and the spans of the labels.
  var spans: [Span] { locations + labels.map(\.span) }
}
