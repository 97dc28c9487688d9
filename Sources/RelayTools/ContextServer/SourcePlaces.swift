import GraphQLLanguage

/// The lines and columns of spans in a workspace's files, for one response.
struct SourcePlaces {
  /// A line and a column, counted from 1, with the contents of the line.
  struct Place {
    let path: String
    let line: Int
    /// The column in UTF-16 units.
    let column: Int
    let text: String
  }

  private static let textLimit = 200

  private let workspace: Workspace
  private var indices: [String: LineIndex] = [:]

  init(_ workspace: Workspace) { self.workspace = workspace }

  /// Returns the location where a span starts; `nil` if it is in no file.
  mutating func place(of span: Span) -> Place? {
    guard let source = workspace[span.source] else { return nil }
    let index = indices[source.path] ?? LineIndex(source.fileBytes)
    indices[source.path] = index
    let offset = source.fileOffset(of: span.start)
    let location = index.location(path: source.path, offset: offset)
    return Place(
      path: source.path, line: location.line, column: location.column,
      text: Self.line(around: Int(offset), in: source.fileBytes))
  }

  /// Returns the trimmed line around an offset; a long line is shortened.
  private static func line(around offset: Int, in bytes: ContiguousArray<UInt8>) -> String {
    func isEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
    let offset = min(max(0, offset), bytes.count)
    let start = bytes[..<offset].lastIndex(where: isEnd).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(where: isEnd) ?? bytes.count
    let text = bytes[start..<end].drop { $0 == 0x20 || $0 == 0x09 }
    let line = String(decoding: text.prefix(4 * textLimit), as: UTF8.self)
    return line.count > textLimit ? line.prefix(textLimit) + "…" : line
  }
}
