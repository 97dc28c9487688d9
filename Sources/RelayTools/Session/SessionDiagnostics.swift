import GraphQLLanguage

/// The diagnostics of a session's files.
struct SessionDiagnostics {
  private(set) var all: [Diagnostic] = []
  /// The rules that report a mistake only once; the first file to reach it determines the location.
  private static let orderedRules: Set<String> = [
    "no-fragment-cycles", "overlapping-fields-can-be-merged",
  ]
  /// The files by source.
  var files: [SourceID: FileKey] = [:]

  /// Returns the files with diagnostics that concern one of the given files.
  func files(touching changed: Set<FileKey>) -> Set<FileKey> {
    all.reduce(into: []) { result, diagnostic in
      if touches(diagnostic, changed) { result.formUnion(locations(of: diagnostic)) }
    }
  }

  /// Returns the files of a slice, except its roots, whose diagnostics differ from `found`.
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

  /// Whether the diagnostics outside all files differ from `found`.
  func isOutdated(by found: [Diagnostic]) -> Bool {
    let old = Set(all.filter { locations(of: $0).isEmpty })
    return old != Set(found.filter { locations(of: $0).isEmpty })
  }

  /// Replaces the diagnostics that concern the roots, and the diagnostics outside all files.
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
  /// The locations and the labels' spans.
  var spans: [Span] { locations + labels.map(\.span) }
}
