import RelayCompiler

/// One run of `init --editor` in a folder.
struct EditorSetup {
  private enum State {
    case missing, current, different
  }

  let editor: Editor
  /// The path of the project's folder.
  let folder: String

  /// Writes the files that do not exist. All existing files are read before the first is written.
  ///
  /// - Throws: ``FileError`` when a file or a folder cannot be read or written.
  func run() throws(FileError) -> CommandResult {
    var states: [(file: Editor.File, state: State)] = []
    for file in editor.files { states.append((file, try state(of: file))) }
    let missing = states.filter { $0.state == .missing }.map(\.file)
    for file in missing { try write(file) }
    let different = states.filter { $0.state == .different }.map(\.file)
    var output = missing.map { "wrote \($0.path)\n" }.joined()
    output += different.map { "left \($0.path) unchanged: it has other contents\n" }.joined()
    if output.isEmpty { output = "All files are up to date.\n" }
    output += different.map(Self.advice).joined()
    return CommandResult(
      .success, output: "\(output)\n\(editor.step) relay-compiler must be in PATH.\n")
  }

  private func state(of file: Editor.File) throws(FileError) -> State {
    let path = folder + "/" + file.path
    guard itemExists(path) else { return .missing }
    let bytes = try readFile(path)
    if bytes.elementsEqual(file.bytes) { return .current }
    return file.isShared && Self.lines(file.bytes).isSubset(of: Self.lines(bytes))
      ? .current : .different
  }

  /// The lines of a settings file, without indentation and without the comma that a line only has
  /// if another entry follows.
  private static func lines(_ bytes: some Collection<UInt8>) -> Set<Substring> {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    return Set(
      lines.map { line in
        let trimmed = line.drop(while: \.isWhitespace)
        let end = trimmed.lastIndex { !$0.isWhitespace && $0 != "," }
        return end.map { trimmed[...$0] } ?? ""
      })
  }

  private func write(_ file: Editor.File) throws(FileError) {
    let path = folder + "/" + file.path
    if let slash = path.lastIndex(of: "/") { try createFolder(String(path[..<slash])) }
    try createFile(path, file.bytes)
  }

  /// Returns the advice about a file that was left unchanged.
  private static func advice(for file: Editor.File) -> String {
    if !file.isShared {
      return "\n\(file.path) may be from another version: remove it, and run init again.\n"
    }
    let text = String(decoding: file.bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let indented = lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    return "\nAdd the lines of these that \(file.path) does not have:\n\n\(indented)"
  }
}
