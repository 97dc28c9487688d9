import GraphQLLanguage

extension LanguageServer {
  /// Handles `textDocument/formatting`: returns the edits that the command `format` would make.
  /// Ignores the editor's options, so that all editors and the command agree.
  func formatting(_ params: JSON?) -> JSON {
    guard let canonical = canonicalPath(params), Self.isFormatted(canonical),
      projects.contains(where: { $0.paths[canonical] != nil }),
      let bytes = files[canonical]?.bytes
    else { return [] }
    let file = FormattedFile(path: canonical, bytes: bytes, in: Workspace())
    let index = LineIndex(bytes)
    let edits = file.replacements.compactMap { replacement -> JSON? in
      guard let change = Self.change(of: replacement.range, to: replacement.bytes, in: bytes)
      else { return nil }
      return [
        "range": index.json(change.range, in: client.encoding), "newText": .string(change.text),
      ]
    }
    return .list(edits)
  }

  private static func isFormatted(_ path: String) -> Bool {
    mayBeSource(path) || path.hasSuffix(".graphqls")
  }

  /// Returns a replacement without the common prefix and suffix; `nil` if old and new are equal.
  /// Never splits a character or a line end.
  private static func change(
    of range: Range<Int>, to new: ContiguousArray<UInt8>, in bytes: ContiguousArray<UInt8>
  ) -> (range: Range<Int>, text: String)? {
    let old = bytes[range]
    if old.elementsEqual(new) { return nil }
    func isDivided(_ before: UInt8?, _ after: UInt8?) -> Bool {
      guard let after else { return false }
      return after & 0xC0 == 0x80 || before == 0x0D && after == 0x0A
    }
    var start = zip(old, new).prefix { $0 == $1 }.count
    while start > 0 {
      let before = new[start - 1]
      let after = [old.dropFirst(start).first, new.dropFirst(start).first]
      if !after.contains(where: { isDivided(before, $0) }) { break }
      start -= 1
    }
    let rest = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
    var end = rest.prefix { $0 == $1 }.count
    while end > 0 {
      let before = [old.dropLast(end).last, new.dropLast(end).last]
      let after = new[new.count - end]
      if !before.contains(where: { isDivided($0, after) }) { break }
      end -= 1
    }
    let text = String(decoding: new[start..<new.count - end], as: UTF8.self)
    return (range.lowerBound + start..<range.upperBound - end, text)
  }
}
