/// An index of the nodes in connections' edge lists. With it, a page is merged into a list without
/// reading each of the list's edges.
///
/// The index is a cache derived from the base. Writes to the base invalidate the lists that they
/// make obsolete. An empty index is always correct. An invalidated list is indexed again when its
/// next page arrives. If a list was replaced without being invalidated, ``removeList(of:edges:)``
/// finds that it differs and returns `nil`.
///
/// A connection is indexed if ``lists`` has an entry for it. The transitions are:
///
/// - not indexed → indexed: ``setList(_:newEdges:of:nodeKey:)``, when a page or an updater has
///   changed the list;
/// - indexed → not indexed: ``removeList(of:edges:)``, during a merge; ``invalidate(_:)`` and
///   ``invalidateAll()``, when a write or a collection invalidates the index.
package struct ConnectionEdgeIndex: BaseObserver {
  /// The indexed list of one connection.
  struct List {
    /// The edges in list order. No edge is null, and no two edges link to the same node.
    var edges: [RecordIndex] = []
    /// The edge of each node. Omits nodes that were deleted when their edge was indexed.
    var nodes: [RecordIndex: RecordIndex] = [:]

    mutating func reserveCapacity(_ count: Int) { edges.reserveCapacity(count) }

    /// Appends an edge, unless another edge links to its node.
    mutating func append(_ edge: RecordIndex, to node: RecordIndex?) {
      if let node {
        if nodes[node] != nil { return }
        nodes[node] = edge
      }
      edges.append(edge)
    }

    /// Inserts another list at the front, and removes this list's edges to the same nodes.
    ///
    /// - Complexity: O(*n*) in the other list, plus copying the links and comparing them up to the
    ///   last removed one.
    mutating func prepend(_ first: List) {
      var duplicates: Set<RecordIndex> = []
      for (node, edge) in first.nodes {
        if let old = nodes.updateValue(edge, forKey: node) { duplicates.insert(old) }
      }
      edges = edges(without: duplicates, after: first.edges)
    }

    /// Removes the edge to a node.
    ///
    /// - Returns: Whether an edge was removed.
    mutating func remove(_ node: RecordIndex) -> Bool {
      guard let edge = nodes.removeValue(forKey: node) else { return false }
      edges = edges(without: [edge])
      return true
    }

    /// Inserts an edge at a position.
    ///
    /// - Precondition: No edge of the list links to `node`.
    mutating func insert(_ edge: RecordIndex, to node: RecordIndex?, at position: Int) {
      edges.insert(edge, at: position)
      if let node { nodes[node] = edge }
    }

    /// Returns `first`, followed by this list's edges except the ones in `removed`.
    ///
    /// - Precondition: Each edge in `removed` occurs in the list once.
    private func edges(
      without removed: Set<RecordIndex>, after first: [RecordIndex] = []
    ) -> [RecordIndex] {
      var (removed, rest, kept) = (removed, edges[...], first)
      kept.reserveCapacity(first.count + rest.count)
      while !removed.isEmpty, let position = rest.firstIndex(where: removed.contains) {
        removed.remove(rest[position])
        kept += rest[..<position]
        rest = rest[(position + 1)...]
      }
      return kept + rest
    }
  }

  /// The indexed list of each connection.
  var lists: [RecordIndex: List] = [:]
  /// The indexed connections and their edges, and some that are no longer indexed: only
  /// ``invalidateAll()`` removes members.
  var watched = RecordSet()
  /// The key of an edge's `node` field, the same for all connections; `nil` until a list is set.
  var nodeKey: FieldKey?

  package init() {}

  /// Whether no list is indexed. If so, changes of the base can be ignored.
  @inline(__always)
  var isEmpty: Bool { lists.isEmpty }

  /// Removes and returns a connection's indexed list; `nil` if its edges are not `edges`.
  ///
  /// A removed list is uniquely referenced, so the caller can mutate it without a copy.
  ///
  /// - Complexity: O(1) if both arrays have the same storage, otherwise O(*n*).
  mutating func removeList(of connection: RecordIndex, edges: [RecordIndex]) -> List? {
    guard let list = lists.removeValue(forKey: connection) else { return nil }
    return list.edges == edges ? list : nil
  }

  /// Sets a connection's indexed list.
  ///
  /// - Parameters:
  ///   - newEdges: A superset of the edges that the previous list did not have.
  ///   - nodeKey: The field that links an edge to its node.
  mutating func setList(
    _ list: List, newEdges: [RecordIndex], of connection: RecordIndex, nodeKey: FieldKey
  ) {
    self.nodeKey = nodeKey
    watched.insert(connection)
    for edge in newEdges where edge != .none { watched.insert(edge) }
    lists[connection] = list
  }

  /// Invalidates a connection's indexed list.
  mutating func invalidate(_ connection: RecordIndex) { lists[connection] = nil }

  package mutating func invalidateAll() { self = ConnectionEdgeIndex() }

  // MARK: Changes to the base

  /// Invalidates the lists that the change may make obsolete.
  @inline(__always)
  mutating func recordWillChange(
    at index: RecordIndex, to record: RecordBox, in base: RecordTable
  ) {
    if !isEmpty { recordWillChange(at: index, from: base[index], to: record) }
  }

  private mutating func recordWillChange(
    at index: RecordIndex, from old: RecordBox?, to new: RecordBox
  ) {
    // `nodes` omits nodes that were deleted when their edge was indexed. If such a node exists
    // again, a merge would not find its edge and would add a second one. Any record may be such a
    // node, because only connections and edges are watched. Deleting a node invalidates no list,
    // because deleted nodes are never looked up.
    if old?.state == .deleted, new.state != .deleted { return invalidateAll() }
    guard watched.contains(index) else { return }
    if new.state != .present { lists[index] = nil }
    if node(of: old) != node(of: new) { invalidateAll() }
  }

  mutating func recordWillBeCollected(_ record: RecordBox, at index: RecordIndex) {
    if isEmpty { return }
    if record.state == .deleted || watched.contains(index) { invalidateAll() }
  }

  mutating func recordsWereCollected(except kept: [RecordIndex], from base: RecordTable) {
    invalidateAll()
  }

  mutating func idWillBeDropped(from index: RecordIndex) {
    if !isEmpty, watched.contains(index) { invalidateAll() }
  }

  mutating func baseWasCleared() { invalidateAll() }

  private func node(of edge: RecordBox?) -> FieldValue? {
    guard let edge, let nodeKey else { return nil }
    return edge.value(of: nodeKey)
  }
}
