import RelayCompiler

/// The files that Apollo's search paths match.
///
/// A pattern is absolute or relative to the configuration's folder. `*` and `?` match within a
/// name, `**` matches any folders, and `{a,b}` matches either string. A pattern that starts with
/// `!` excludes its matches, regardless of its position in the list. Files and folders whose names
/// start with a dot are skipped. Symbolic links to folders are not followed, so links cannot form a
/// loop. Files in the output of an earlier import are skipped too, unless the portion of the
/// pattern before its first wildcard leads there.
struct SearchPaths {
  /// The absolute path of the configuration's folder.
  let root: String
  /// The absolute path of a folder that is not searched.
  let skipped: String

  /// A pattern in two halves: the folder before its first wildcard, and the rest.
  private struct Pattern {
    let folder: String
    let rest: [String]

    init(_ text: String, root: String) {
      let all = (text.hasPrefix("/") ? text : root + "/" + text).split(separator: "/")
      let literal = all.prefix { !$0.contains("*") && !$0.contains("?") }
      folder = SearchPaths.standardized(literal.joined(separator: "/"))
      rest = all.dropFirst(literal.count).filter { $0 != "." }.map(String.init)
    }

    /// The number of folder levels below `folder` that may contain files; `nil` if unlimited.
    var depth: Int? { rest.contains("**") ? nil : rest.count - 1 }

    /// Whether the pattern matches an absolute path.
    func matches(_ path: String) -> Bool {
      if rest.isEmpty { return path == folder }
      let prefix = folder == "/" ? folder : folder + "/"
      guard path.hasPrefix(prefix) else { return false }
      return PathPattern(rest.joined(separator: "/")).matches(String(path.dropFirst(prefix.count)))
    }
  }

  /// The files that match patterns.
  struct Found {
    /// The absolute paths of the files, sorted.
    var files: [String] = []
    /// The indices of the patterns that match no file.
    var unmatched: [Int] = []
    /// The absolute paths of the folders that were skipped because an import wrote them.
    var imported: Set<String> = []
    /// Whether the search reached the skipped folder.
    var hasSkipped = false
  }

  /// Finds the files.
  ///
  /// - Throws: ``FileError`` when a folder cannot be read.
  func files(matching patterns: [String]) throws(FileError) -> Found {
    let excluded = patterns.filter { $0.hasPrefix("!") }.flatMap { expanded($0.dropFirst()) }
    var result = Found()
    var files: Set<String> = []
    for (index, text) in patterns.enumerated() where !text.hasPrefix("!") {
      var found: [String] = []
      for pattern in expanded(text[...]) {
        found += try self.files(matching: pattern, &result)
      }
      if found.isEmpty { result.unmatched.append(index) }
      files.formUnion(found.filter { path in !excluded.contains { $0.matches(path) } })
    }
    result.files = files.sorted(byText: \.self)
    return result
  }

  /// Whether patterns match an absolute path, even one that ``files(matching:)`` would skip.
  func matches(_ path: String, _ patterns: [String]) -> Bool {
    func isMatched(by text: Substring) -> Bool { expanded(text).contains { $0.matches(path) } }
    return patterns.contains { !$0.hasPrefix("!") && isMatched(by: $0[...]) }
      && !patterns.contains { $0.hasPrefix("!") && isMatched(by: $0.dropFirst()) }
  }

  private func expanded(_ text: Substring) -> [Pattern] {
    Self.expandedBraces(of: String(text)).map { Pattern($0, root: root) }
  }

  private func files(
    matching pattern: Pattern, _ found: inout Found
  ) throws(FileError) -> [String] {
    if pattern.rest.isEmpty {
      return itemExists(pattern.folder) && !isFolder(pattern.folder) ? [pattern.folder] : []
    }
    guard isFolder(pattern.folder) else { return [] }
    var result: [String] = []
    var folders = [(path: pattern.folder, depth: 0)]
    while let folder = folders.popLast() {
      if folder.path == skipped {
        found.hasSkipped = true
        continue
      }
      let names = try fileNames(in: folder.path)
      if folder.depth > 0, isImported(folder.path, names: names) {
        found.imported.insert(folder.path)
        continue
      }
      for name in names where !name.hasPrefix(".") {
        let path = folder.path == "/" ? "/" + name : folder.path + "/" + name
        if isRealFolder(path) {
          if folder.depth < pattern.depth ?? .max { folders.append((path, folder.depth + 1)) }
        } else if pattern.matches(path), !isFolder(path) {
          result.append(path)
        }
      }
    }
    return result
  }

  /// Whether an import wrote a folder: it has a configuration next to the folder of documents.
  private func isImported(_ folder: String, names: [String]) -> Bool {
    names.contains(Project.configurationName)
      && names.contains(ImportedConfiguration.documentFolder)
      && isRealFolder(folder + "/" + ImportedConfiguration.documentFolder)
  }

  // MARK: Paths

  /// Returns an absolute path without the components `.` and `..`.
  static func standardized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Returns the expansions of a pattern's braces. Once there are 256, the remaining braces are
  /// preserved, like unpaired ones.
  static func expandedBraces(of text: String) -> [String] {
    var done: [String] = []
    var open = [text]
    while let text = open.popLast() {
      guard let end = text.firstIndex(of: "}"), let start = text[..<end].lastIndex(of: "{"),
        done.count + open.count < 256
      else {
        done.append(text)
        continue
      }
      let choices = text[text.index(after: start)..<end].split(
        separator: ",", omittingEmptySubsequences: false)
      open += choices.map { String(text[..<start] + $0 + text[text.index(after: end)...]) }
    }
    return done
  }
}
