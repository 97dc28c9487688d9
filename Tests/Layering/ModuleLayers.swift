import Foundation

/// A module whose folders are layers: a folder only names its own types and types in folders before
/// it.
struct ModuleLayers {
  let name: String
  /// The folders, lowest first. Files outside of these folders are above all of them.
  let folders: [String]
  /// The modules that each folder may import; `"*"` stands for every folder.
  let imports: [String: Set<String>]

  struct File {
    let path: String
    let folder: String
    let names: SourceNames
  }

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the module's source files, sorted by path.
  func files() throws -> [File] {
    let directory = Self.root.appending(path: "Sources/\(name)")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try String(contentsOf: directory.appending(path: path), encoding: .utf8)
      let parts = path.split(separator: "/")
      return File(
        path: "Sources/\(name)/\(path)", folder: parts.count > 1 ? String(parts[0]) : "",
        names: SourceNames(text))
    }
  }

  /// Returns the violations of the rules, one line each.
  func violations(in files: [File]) -> [String] {
    var homes: [String: Set<String>] = [:]
    for file in files {
      for type in file.names.declared { homes[type, default: []].insert(file.folder) }
    }
    return files.flatMap { file in
      unknownFolder(of: file) + upward(from: file, homes: homes) + unexpectedImports(of: file)
    }
  }

  /// Returns the dependency cycles of more than `limit` files within a folder, one line each.
  func cycles(in files: [File], above limit: Int) -> [String] {
    let folders = Dictionary(grouping: files, by: \.folder).sorted { $0.key < $1.key }
    return folders.flatMap { folder, files -> [String] in
      let cycles = FileGraph(files).cycles.filter { $0.count > limit }
      return cycles.map { cycle -> String in
        let names = cycle.joined(separator: ", ")
        return "\(folder): \(cycle.count) files name one another: \(names)"
      }
    }
  }

  private func rank(_ folder: String) -> Int? {
    folder.isEmpty ? folders.count : folders.firstIndex(of: folder)
  }

  private func unknownFolder(of file: File) -> [String] {
    rank(file.folder) == nil ? ["\(file.path): the folder has no place among the layers"] : []
  }

  private func upward(from file: File, homes: [String: Set<String>]) -> [String] {
    guard let own = rank(file.folder) else { return [] }
    return file.names.used.sorted().compactMap { type in
      // A name declared in several folders belongs to the file itself, or is ambiguous.
      guard let home = homes[type], home.count == 1, let folder = home.first,
        let rank = rank(folder), rank > own
      else { return nil }
      return "\(file.path): \"\(type)\" is of the higher layer \"\(folder)\""
    }
  }

  private func unexpectedImports(of file: File) -> [String] {
    let allowed = (imports["*"] ?? []).union(imports[file.folder] ?? [])
    return file.names.imports.subtracting(allowed).sorted().map {
      "\(file.path): may not import \($0)"
    }
  }
}
