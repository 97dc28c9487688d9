/// The visits of one record by an operation: the selections that reach it, each with its shortest
/// path from the root.
///
/// Like the garbage collector, it follows links through all type conditions and in both layers.
package struct RecordVisits {
  /// A step from one record to another.
  package struct Step {
    package let record: RecordIndex
    package let key: FieldKey
    /// The response key of the field.
    let responseKey: String
    /// The index in the field's list; `nil` if it is not a list.
    package let position: Int?

    package init(record: RecordIndex, key: FieldKey, responseKey: String, position: Int?) {
      (self.record, self.key) = (record, key)
      (self.responseKey, self.position) = (responseKey, position)
    }
  }

  /// A selection that reaches the record.
  package struct Visit {
    package let plan: BoundPlan
    package let steps: [Step]
  }

  private struct Node {
    let index: RecordIndex
    let plan: BoundPlan
    /// The position of the previous node, and the step from it; `nil` for the root, and for another
    /// selection on the same record.
    let parent: Int?
    let step: Step?
  }

  private struct Key: Hashable {
    let index: RecordIndex
    let plan: ObjectIdentifier
  }

  private var nodes: [Node] = []
  private var visited: Set<Key> = []

  private init() {}

  /// Returns the visits of a record.
  ///
  /// - Parameter limit: The maximum number of visits; the search ends at the last one.
  /// - Complexity: O(*n*) in the links followed; each record is visited once for each selection.
  package static func find(
    _ target: RecordIndex, from start: RecordIndex, _ plan: BoundPlan, in source: LayeredSource,
    limit: Int = .max
  ) -> [Visit] {
    var search = RecordVisits()
    var visits: [Visit] = []
    search.enqueue(start, plan, from: nil, by: nil)
    var position = 0
    while position < search.nodes.count, visits.count < limit {
      let node = search.nodes[position]
      if node.index == target {
        visits.append(Visit(plan: node.plan, steps: search.steps(to: position)))
      }
      search.follow(position, in: source)
      position += 1
    }
    return visits
  }

  /// Returns the records that a plan reaches, each once, with the step to it on the shortest path.
  ///
  /// - Parameter limit: The maximum number of records.
  /// - Returns: `nil` if there are more.
  package static func reached(
    from start: RecordIndex, _ plan: BoundPlan, in source: LayeredSource, limit: Int
  ) -> [(index: RecordIndex, step: Step?)]? {
    var search = RecordVisits()
    var records = RecordList()
    var reached: [(RecordIndex, Step?)] = []
    search.enqueue(start, plan, from: nil, by: nil)
    var position = 0
    while position < search.nodes.count {
      let node = search.nodes[position]
      if records.insert(node.index) {
        if reached.count == limit { return nil }
        reached.append((node.index, node.step))
      }
      search.follow(position, in: source)
      position += 1
    }
    return reached
  }

  private mutating func enqueue(
    _ index: RecordIndex, _ plan: BoundPlan, from parent: Int?, by step: Step?
  ) {
    guard visited.insert(Key(index: index, plan: ObjectIdentifier(plan))).inserted else { return }
    nodes.append(Node(index: index, plan: plan, parent: parent, step: step))
  }

  private mutating func follow(_ position: Int, in source: LayeredSource) {
    let (index, plan) = (nodes[position].index, nodes[position].plan)
    let target = source.resolved(index)
    if target != index { return enqueue(target, plan, from: position, by: nil) }
    if let clientPlan = plan.clientPlan { enqueue(index, clientPlan, from: position, by: nil) }
    for (slot, child) in plan.children.enumerated() {
      guard let child else { continue }
      guard let field = plan.plan.slots[slot].field, !plan.plan.slots[slot].isOfSameRecord else {
        enqueue(index, child, from: position, by: nil)
        continue
      }
      let keys = [plan.keys[slot]] + plan.handles.filter { $0.slot == slot }.map(\.handle.key)
      for key in keys {
        for record in [source[index], source[base: index]] {
          guard let value = record[key] else { continue }
          let step = Step(
            record: index, key: key, responseKey: field.responseKey, position: nil)
          follow(value, to: child, from: position, by: step)
        }
      }
    }
  }

  private mutating func follow(
    _ value: FieldValue, to child: BoundPlan, from parent: Int, by step: Step
  ) {
    func item(_ position: Int) -> Step {
      Step(
        record: step.record, key: step.key, responseKey: step.responseKey, position: position)
    }
    switch value {
    case .link(let target): enqueue(target, child, from: parent, by: step)
    case .links(let targets):
      for (position, target) in targets.enumerated() where target != .none {
        enqueue(target, child, from: parent, by: item(position))
      }
    case .list(let values):
      for (position, value) in values.enumerated() {
        follow(value, to: child, from: parent, by: item(position))
      }
    default: break
    }
  }

  private func steps(to position: Int) -> [Step] {
    var steps: [Step] = []
    var next: Int? = position
    while let position = next {
      if let step = nodes[position].step { steps.append(step) }
      next = nodes[position].parent
    }
    return steps.reversed()
  }
}

extension RecordVisits.Visit {
  /// The path in the operation's response.
  package var path: ResponsePath {
    var components: [ResponsePath.Component] = []
    for step in steps {
      components.append(.field(step.responseKey))
      if let position = step.position { components.append(.index(position)) }
    }
    return ResponsePath(components)
  }
}
