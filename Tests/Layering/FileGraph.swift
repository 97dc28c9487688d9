/// The dependency graph of the files in one folder. An edge leads from a file to each file that
/// declares a type it names.
struct FileGraph {
  private let paths: [String]
  /// The files that each file depends on, by index.
  private let edges: [[Int]]

  init(_ files: [ModuleLayers.File]) {
    paths = files.map(\.path)
    var homes: [String: Int] = [:]
    for (index, file) in files.enumerated() {
      for type in file.names.declared { homes[type] = index }
    }
    edges = files.enumerated().map { index, file in
      Set(file.names.used.compactMap { homes[$0] }).subtracting([index]).sorted()
    }
  }

  /// The strongly connected components of more than one file, each sorted by path.
  var cycles: [[String]] {
    let reached = paths.indices.map { reachable(from: $0) }
    var seen: Set<Int> = []
    return paths.indices.compactMap { file in
      let cycle = reached[file].filter { reached[$0].contains(file) }
      guard cycle.count > 1, seen.isDisjoint(with: cycle) else { return nil }
      seen.formUnion(cycle)
      return cycle.map { paths[$0] }.sorted()
    }
  }

  private func reachable(from file: Int) -> Set<Int> {
    var reached: Set<Int> = []
    var rest = edges[file]
    while let next = rest.popLast() {
      if reached.insert(next).inserted { rest += edges[next] }
    }
    return reached
  }
}
