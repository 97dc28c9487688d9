import GraphQLLanguage

/// A JSON file with the locations of its keys.
struct JSONFile {
  private let path: String
  private let lines: LineIndex
  private let scan: JSONScan

  init(_ source: Source) {
    path = source.path
    lines = LineIndex(source.bytes)
    scan = JSONScan(source.bytes)
  }

  /// Rejects objects that contain a key twice, because JSON readers differ on which one they use.
  ///
  /// - Throws: ``ConfigurationError`` with the location of each second key.
  func checkRepetitions() throws(ConfigurationError) {
    if scan.repetitions.isEmpty { return }
    throw ConfigurationError(
      scan.repetitions.map { repetition in
        let first = location(of: repetition.firstOffset)
        let message =
          "\"\(repetition.key)\" is given twice; the other is on line \(first.line). Remove one of "
          + "them."
        return (message, location(of: repetition.offset))
      })
  }

  /// Returns the location of a byte.
  func location(of offset: Int) -> SourceLocation {
    lines.location(path: path, offset: UInt32(truncatingIfNeeded: offset))
  }

  /// Returns the location of a key such as `input.schemaSearchPaths[0]`.
  func location(ofKey key: String) -> SourceLocation { location(of: scan.offsets[key] ?? 0) }
}
