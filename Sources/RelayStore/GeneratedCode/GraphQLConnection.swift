/// The generated struct of a connection that selects `edges { node { … } }`.
public protocol GraphQLConnection: GraphQLView {
  /// The struct of a node.
  associatedtype __Node: GraphQLView
}

extension GraphQLConnection {
  /// The nodes in the order of the edges, without null nodes.
  ///
  ///     for friend in user.friends.nodes { print(friend.name) }
  ///
  /// - Complexity: O(*n*) in the edges to create the collection, O(1) for each access.
  public var nodes: ConnectionNodes<__Node> { ConnectionNodes(__row.box) }
}

/// The nodes of a connection.
public struct ConnectionNodes<Node: GraphQLView>: RandomAccessCollection, Sendable {
  private let edges: ListBuffer?
  private let slot: Int
  /// The positions of the edges with a node; `nil` if every edge has one.
  private let edgeIndexes: [Int]?

  /// Creates an empty collection.
  public init() {
    edges = nil
    slot = 0
    edgeIndexes = []
  }

  fileprivate init(_ connection: RowBox) {
    guard let edges = connection.slots(for: "edges").first,
      case .list(let list) = connection.slot(at: edges).value,
      let slot = connection.plan[edges].slot(for: "node")
    else {
      self = ConnectionNodes()
      return
    }
    let isWhole = list.chunks.allSatisfy { chunk in
      chunk.slots.allSatisfy { $0.row?.slot(at: slot).row != nil }
    }
    self.edges = list
    self.slot = slot
    edgeIndexes =
      isWhole ? nil : (0..<list.count).filter { list[$0].row?.slot(at: slot).row != nil }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { edgeIndexes?.count ?? edges?.count ?? 0 }

  /// The node at a position. Edges without a node have no position.
  ///
  /// - Precondition: The position is below `endIndex`.
  /// - Complexity: O(1).
  public subscript(position: Int) -> Node {
    guard let edges, let row = edges[edgeIndexes?[position] ?? position].row?.slot(at: slot).row
    else {
      preconditionFailure("Position \(position) is not one of the connection's nodes.")
    }
    return Node(__row: Row(row))
  }
}

extension RowBox {
  /// Returns the slots with a response key that are neither null nor absent.
  fileprivate func slots(for key: String) -> [Int] {
    (plan.slotsByKey[ByteString(key)] ?? []).filter { !slot(at: $0).isNil }
  }
}

extension SelectionPlan {
  fileprivate func slot(for key: String) -> Int? { slotsByKey[ByteString(key)]?.first }
}
