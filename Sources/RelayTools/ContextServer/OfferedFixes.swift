/// The fixes that were offered, by their ids. An id is never given to another fix.
struct OfferedFixes {
  /// A change of one file.
  struct Fix {
    /// The path of the file in the session.
    let path: String
    let title: String
    /// The text of the file to which the edits apply.
    let bytes: ContiguousArray<UInt8>
    let edits: [FileEdit]
    /// Whether `bytes` is a text that an assistant has not saved to the file.
    var isUnsaved = false
  }

  /// The number of fixes that are kept; the oldest are dropped first.
  private static let limit = 2_000

  private var fixes: [Int: Fix] = [:]
  private var next = 1

  /// Keeps a fix and returns its id.
  mutating func add(_ fix: Fix) -> String {
    fixes[next] = fix
    fixes[next - Self.limit] = nil
    defer { next += 1 }
    return "fix\(next)"
  }

  /// The fix of an id; `nil` if it was never offered, or too long ago.
  subscript(id: String) -> Fix? {
    id.hasPrefix("fix") ? Int(id.dropFirst(3)).flatMap { fixes[$0] } : nil
  }
}

extension OfferedFixes.Fix {
  /// Creates the fix that a code action makes of a file.
  ///
  /// - Returns: `nil` if the action changes another file too, or has overlapping edits.
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

  /// The text of the file after the change.
  var result: ContiguousArray<UInt8> {
    var result = bytes
    for edit in edits.reversed() { result.replaceSubrange(edit.range.bytes, with: edit.text.utf8) }
    return result
  }
}
