/// A depth-first search for cycles in a graph. It visits each node once. An explicit stack replaces
/// recursion, because a document's graph can be deep.
package struct CycleSearch<Node: Hashable, Edge> {
  package typealias Edges = [(target: Node, edge: Edge)]

  private struct Step {
    let node: Node
    let edges: Edges
    var next = 0
  }

  private let edges: (Node) -> Edges
  private var visited: Set<Node> = []

  /// - Parameter edges: Returns the outgoing edges of a node.
  package init(edges: @escaping (Node) -> Edges) { self.edges = edges }

  /// Returns the cycles that the search finds from a node, or none if it has visited that node.
  ///
  /// - Parameter first: The outgoing edges of `start`, if they differ from those that `edges`
  ///   returns.
  /// - Returns: The edges of each cycle; the last one leads back to the source of the first one.
  package mutating func cycles(
    from start: Node, along first: @autoclosure () -> Edges? = nil
  ) -> [[Edge]] {
    guard visited.insert(start).inserted else { return [] }
    let first = first() ?? edges(start)
    if first.isEmpty { return [] }
    var cycles: [[Edge]] = []
    var steps = [Step(node: start, edges: first)]
    // The edges from each step to the next, and the number of edges before each node on the stack.
    var path: [Edge] = []
    var depths = [start: 0]
    while let step = steps.last {
      guard step.next < step.edges.count else {
        depths[steps.removeLast().node] = nil
        _ = path.popLast()
        continue
      }
      steps[steps.count - 1].next += 1
      let (target, edge) = step.edges[step.next]
      if let depth = depths[target] {
        cycles.append(path[depth...] + [edge])
      } else if visited.insert(target).inserted {
        path.append(edge)
        depths[target] = path.count
        steps.append(Step(node: target, edges: edges(target)))
      }
    }
    return cycles
  }
}
