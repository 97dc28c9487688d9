extension RecordStore {
  /// Returns whether a retained operation reaches a record.
  ///
  /// - Complexity: O(*n*) in the records that retained operations reach.
  func isReachedByRetained(_ id: DataID) -> Bool {
    state.withLock { state in
      guard let index = state.source.index(of: id) else { return false }
      return state.retention.entries.values.contains { entry in
        guard entry.count > 0 else { return false }
        var marked = RecordSet()
        Reachability.mark(from: entry.root, entry.plan, in: state.source, into: &marked)
        return marked.contains(index)
      }
    }
  }

  /// Returns the number of edges of a connection's record.
  func edgeCount(of connection: DataID) -> Int {
    withState { state in
      guard let index = state.source.index(of: connection),
        let key = state.source.keys.key(of: "edges")
      else { return 0 }
      switch state.source[index][key] {
      case .links(let edges): return edges.count
      case .list(let edges): return edges.count
      default: return 0
      }
    }
  }
}
