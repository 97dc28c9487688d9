/// The offered fixes by id. Ids are never reused.
struct OfferedFixes {
  /// A change of one file.
  struct Fix {
    /// The path of the file in the session.
    let path: String
    let title: String
    /// The file's contents that the edits apply to.
    let bytes: ContiguousArray<UInt8>
    let edits: [FileEdit]
    /// Whether `bytes` is a document that an assistant has not saved to the file.
    var isUnsaved = false
  }

  /// The largest number of fixes retained; the oldest are dropped first.
  private static let limit = 2_000

  private var fixes: [Int: Fix] = [:]
  private var next = 1

  /// Adds a fix and returns its id.
  mutating func add(_ fix: Fix) -> String {
    fixes[next] = fix
    fixes[next - Self.limit] = nil
    defer { next += 1 }
    return "fix\(next)"
  }

  /// The fix with an id; `nil` if it was never offered, or too long ago.
  subscript(id: String) -> Fix? {
    id.hasPrefix("fix") ? Int(id.dropFirst(3)).flatMap { fixes[$0] } : nil
  }
}

extension OfferedFixes.Fix {
  /// Creates a fix from a code action's changes to a file.
  ///
  /// - Returns: `nil` if the action also changes another file, or has overlapping edits.
  init?(_ action: CodeAction, path: String, bytes: ContiguousArray<UInt8>) {
    let edits = action.edits.sorted { $0.range.bytes.lowerBound < $1.range.bytes.lowerBound }
    var end = 0
    for edit in edits {
      let range = edit.range.bytes
      guard edit.range.path == path, range.lowerBound >= end, range.upperBound <= bytes.count else {
        return nil
      }
      end = range.upperBound
    }
    if edits.isEmpty { return nil }
    self.init(path: path, title: action.title, bytes: bytes, edits: edits)
  }

  /// The file's contents after the change.
  var result: ContiguousArray<UInt8> {
    var result = bytes
    for edit in edits.reversed() { result.replaceSubrange(edit.range.bytes, with: edit.text.utf8) }
    return result
  }
}
