/// A connection as a generated struct shows it, where its selection has `edges { node { … } }`.
public protocol GraphQLConnection: GraphQLView {
  /// What its edges lead to.
  associatedtype __Node: GraphQLView
}

extension GraphQLConnection {
  /// The nodes in the order of the edges, without those that are null.
  ///
  ///     for friend in user.friends.nodes { print(friend.name) }
  ///
  /// - Complexity: O(*n*) in the edges to make it, a few nanoseconds each; then as an array's.
  public var nodes: ConnectionNodes<__Node> { ConnectionNodes(__row.storage) }
}

/// The nodes of a connection.
public struct ConnectionNodes<Node: GraphQLView>: RandomAccessCollection, Sendable {
  private let edges: ListStorage?
  private let slot: Int
  /// Where the edges are that lead to a node; `nil` when all do.
  private let places: [Int]?

  /// No nodes.
  public init() {
    edges = nil
    slot = 0
    places = []
  }

  fileprivate init(_ connection: RowStorage) {
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
    places =
      isWhole ? nil : (0..<list.count).filter { list[$0].row?.slot(at: slot).row != nil }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { places?.count ?? edges?.count ?? 0 }

  /// The node at a position.
  ///
  /// - Precondition: The position is below `endIndex`, as with an array; edges without a node have none.
  /// - Complexity: O(1).
  public subscript(position: Int) -> Node {
    guard let edges, let row = edges[places?[position] ?? position].row?.slot(at: slot).row else {
      preconditionFailure("Position \(position) is not one of the connection's nodes.")
    }
    return Node(__row: Row(row))
  }
}

extension RowStorage {
  /// The slots of a response key that hold something.
  fileprivate func slots(for key: String) -> [Int] {
    (plan.slotsByKey[ByteString(key)] ?? []).filter { !slot(at: $0).isNil }
  }
}

extension SelectionPlan {
  fileprivate func slot(for key: String) -> Int? { slotsByKey[ByteString(key)]?.first }
}
