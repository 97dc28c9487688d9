#if DEBUG || RELAYSTORE_CHECK_INVARIANTS
  @testable import RelayStore

  extension ConnectionEdgeIndex {
    /// Checks these invariants of each list:
    ///
    /// - No edge is null, and no edge occurs twice.
    /// - Each node has an edge in the list, and no two nodes have the same edge.
    /// - The base's record of that edge links to the node.
    /// - The connection and its edges are watched, so that writes to them are noticed.
    ///
    /// - Returns: The first violation, or `nil`.
    /// - Complexity: O(*n*) in the edges.
    func checkInvariants(in base: RecordTable) -> String? {
      for (connection, list) in lists {
        let name = "ConnectionEdgeIndex: the list of \(connection.position)"
        let edges = Set(list.edges)
        if edges.count != list.edges.count { return "\(name) has an edge twice." }
        if edges.contains(.none) { return "\(name) has a null edge." }
        if Set(list.nodes.values).count != list.nodes.count {
          return "\(name) has two nodes for one edge."
        }
        for (node, edge) in list.nodes {
          if !edges.contains(edge) {
            return "\(name) has no edge \(edge.position) for its node \(node.position)."
          }
          guard let nodeKey, case .link(node)? = base[edge]?.value(of: nodeKey) else {
            return "\(name): edge \(edge.position) does not link to node \(node.position)."
          }
        }
        for index in edges.union([connection]) where !watched.contains(index) {
          return "\(name): \(index.position) is not watched."
        }
      }
      return nil
    }
  }
#endif
