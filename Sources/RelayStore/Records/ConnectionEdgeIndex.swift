/// Which nodes the lists of connections lead to, so that a page can be added to a list without a look at each of its
/// edges.
///
/// It is derived from the base, and is no part of what the store holds. What is written to the base meanwhile makes it
/// right again, or forgets it; what is forgotten is made anew from the list when the next page comes. A list that was
/// changed otherwise is found to be another one.
package struct ConnectionEdgeIndex {
  /// One connection's list.
  struct List {
    /// None is null, and no two of them lead to one node.
    private(set) var edges: [RecordIndex] = []
    /// The edges by where they lead: to nodes that were not deleted then.
    private(set) var nodes: [RecordIndex: RecordIndex] = [:]

    mutating func reserveCapacity(_ count: Int) { edges.reserveCapacity(count) }

    /// Adds an edge, unless another leads to its node.
    mutating func append(_ edge: RecordIndex, to node: RecordIndex?) {
      if let node {
        if nodes[node] != nil { return }
        nodes[node] = edge
      }
      edges.append(edge)
    }

    /// Puts another list in front, and takes the edges to its nodes out of this one.
    ///
    /// - Complexity: O(*n*) in the other list, but for copying links and comparing those up to the last that goes.
    mutating func prepend(_ first: List) {
      var left: Set<RecordIndex> = []
      for (node, edge) in first.nodes {
        if let old = nodes.updateValue(edge, forKey: node) { left.insert(old) }
      }
      edges = edges(but: left, behind: first.edges)
    }

    /// Takes the edge to a node out.
    ///
    /// - Returns: Whether there was one.
    mutating func remove(_ node: RecordIndex) -> Bool {
      guard let edge = nodes.removeValue(forKey: node) else { return false }
      edges = edges(but: [edge])
      return true
    }

    /// Puts an edge anywhere; none may lead to its node.
    mutating func insert(_ edge: RecordIndex, to node: RecordIndex?, at position: Int) {
      edges.insert(edge, at: position)
      if let node { nodes[node] = edge }
    }

    /// The edges but for some, each of which is there once, behind others.
    private func edges(
      but left: Set<RecordIndex>, behind first: [RecordIndex] = []
    ) -> [RecordIndex] {
      var (left, rest, kept) = (left, edges[...], first)
      kept.reserveCapacity(first.count + rest.count)
      while !left.isEmpty, let place = rest.firstIndex(where: left.contains) {
        left.remove(rest[place])
        kept += rest[..<place]
        rest = rest[(place + 1)...]
      }
      return kept + rest
    }
  }

  private var lists: [RecordIndex: List] = [:]
  /// The edges of the lists and the connections themselves, and some that were such.
  private var watched = RecordSet()
  private var nodeKey: FieldKey?

  package init() {}

  /// Whether writing concerns nothing here.
  @inline(__always)
  var isEmpty: Bool { lists.isEmpty }

  /// Takes out what is known of a connection's list, where it is still this one.
  ///
  /// - Complexity: O(1), where the list was not copied since.
  mutating func take(_ connection: RecordIndex, edges: [RecordIndex]) -> List? {
    guard let list = lists.removeValue(forKey: connection) else { return nil }
    return list.edges == edges ? list : nil
  }

  /// Keeps what is known of a connection's list.
  ///
  /// - Parameters:
  ///   - new: Its edges that were not in the list that was kept before, and maybe others.
  ///   - nodeKey: The field by which edges lead to nodes.
  mutating func keep(
    _ list: List, new: [RecordIndex], of connection: RecordIndex, nodeKey: FieldKey
  ) {
    self.nodeKey = nodeKey
    watched.insert(connection)
    for edge in new where edge != .none { watched.insert(edge) }
    lists[connection] = list
  }

  /// Forgets what is known of a connection's list.
  mutating func forget(_ connection: RecordIndex) { lists[connection] = nil }

  mutating func forgetAll() { self = ConnectionEdgeIndex() }

  // MARK: What happens to the base

  /// Notes that a record of the base takes another's place.
  mutating func note(_ old: RecordStorage?, _ new: RecordStorage, at index: RecordIndex) {
    // Edges that led nowhere may lead to one node now. A node that is deleted may stay: it does not come again before
    // that.
    if old?.state == .deleted, new.state != .deleted { return forgetAll() }
    guard watched.contains(index) else { return }
    if new.state != .present { lists[index] = nil }
    if node(of: old) != node(of: new) { forgetAll() }
  }

  /// Notes that the collector takes a record.
  mutating func noteCollected(_ index: RecordIndex, wasDeleted: Bool) {
    if wasDeleted || watched.contains(index) { forgetAll() }
  }

  private func node(of edge: RecordStorage?) -> FieldValue? {
    guard let edge, let nodeKey else { return nil }
    return edge.value(of: nodeKey)
  }
}
