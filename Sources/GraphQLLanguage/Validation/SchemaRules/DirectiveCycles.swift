extension SchemaRules {
  /// Forbids directive definitions that use the directive itself, directly or through other
  /// directives and types.
  ///
  /// A cycle that exists only because an extension applies the directive to a type is a warning:
  /// the reference implementation's tests contain such a schema.
  static let directiveCycles: SchemaRule = { check in
    var search = DirectiveCycleSearch(schema: check.schema)
    for directive in check.schema.directives where !directive.isBuiltIn {
      search.start(at: directive)
    }
    for cycle in search.cycles {
      let others = cycle.others.prefix(4).map { "\"\($0)\"" }.joined(separator: ", ")
      check.report(
        "directive-cycles",
        "Directive \"@\(cycle.name)\" must not reference itself"
          + (others.isEmpty ? "." : " through \(others)."), at: cycle.uses,
        help: "Remove the directive there.", severity: cycle.isByExtension ? .warning : .error)
    }
  }
}

/// Tarjan's search for strongly connected components over directives and the input types of their
/// arguments. An explicit stack replaces recursion.
private struct DirectiveCycleSearch {
  enum Node: Hashable {
    case directive(Symbol)
    case type(TypeID)
  }
  struct Cycle {
    let name: String
    /// The other directives and types in the cycle.
    let others: [String]
    /// The source ranges within the cycle that apply one of its directives.
    let uses: [Span]
    let isByExtension: Bool
  }
  private struct Edge {
    let node: Node
    let span: Span
    var isExtension = false
  }
  private struct Step {
    let index: Int
    let edges: [Edge]
    var next = 0
  }

  let schema: Schema
  private(set) var cycles: [Cycle] = []
  /// The index of each visited node, in visiting order.
  private var indexes: [Node: Int] = [:]
  /// The low link of each node, by node index: the lowest known index in the same component.
  private var lowLinks: [Int] = []
  private var steps: [Step] = []
  /// The nodes whose component is not yet complete.
  private var componentStack: [Node] = []
  private var isOnComponentStack: Set<Node> = []

  init(schema: Schema) { self.schema = schema }

  /// Visits all unvisited nodes reachable from a directive.
  ///
  /// - Complexity: O(*n*) in the newly reached directives and types.
  mutating func start(at directive: SchemaDirective) {
    let node = Node.directive(directive.symbol)
    guard indexes[node] == nil else { return }
    enter(node)
    while let step = steps.last {
      guard step.next < step.edges.count else {
        leave()
        continue
      }
      steps[steps.count - 1].next += 1
      let target = step.edges[step.next].node
      guard let index = indexes[target] else {
        enter(target)
        continue
      }
      if isOnComponentStack.contains(target) {
        lowLinks[step.index] = min(lowLinks[step.index], index)
      }
    }
  }

  private mutating func enter(_ node: Node) {
    indexes[node] = lowLinks.count
    steps.append(Step(index: lowLinks.count, edges: edges(of: node)))
    lowLinks.append(lowLinks.count)
    componentStack.append(node)
    isOnComponentStack.insert(node)
  }

  private mutating func leave() {
    let index = steps.removeLast().index
    if let parent = steps.last?.index {
      lowLinks[parent] = min(lowLinks[parent], lowLinks[index])
    }
    guard lowLinks[index] == index else { return }
    let start = componentStack.lastIndex { indexes[$0] == index } ?? componentStack.endIndex
    let component = Array(componentStack[start...])
    componentStack.removeSubrange(start...)
    isOnComponentStack.subtract(component)
    addCycle(of: component)
  }

  /// Adds a component to the cycles if it uses one of its own directives.
  private mutating func addCycle(of component: [Node]) {
    let members = Set(component)
    let uses = component.flatMap(edges(of:)).filter { edge in
      guard case .directive = edge.node else { return false }
      return members.contains(edge.node)
    }
    guard !uses.isEmpty, let first = component.firstIndex(where: isOwnDirective) else { return }
    var others = component
    let name = text(of: others.remove(at: first)).dropFirst()
    cycles.append(
      Cycle(
        name: String(name), others: others.map(text(of:)), uses: uses.map(\.span).sorted(),
        isByExtension: uses.contains(where: \.isExtension)))
  }

  private func isOwnDirective(_ node: Node) -> Bool {
    guard case .directive(let symbol) = node else { return false }
    return schema.directives[named: symbol].map { !$0.isBuiltIn } ?? false
  }

  private func text(of node: Node) -> String {
    switch node {
    case .directive(let symbol): "@" + schema.symbols[symbol]
    case .type(let id): schema.name(of: id)
    }
  }

  /// Returns the references in the definition of a directive or input type.
  private func edges(of node: Node) -> [Edge] {
    switch node {
    case .directive(let symbol):
      return edges(of: schema.directives[named: symbol]?.arguments ?? NamedList())
    case .type(let id):
      let type = schema[id]
      guard type.isInput else { return [] }
      return edges(to: type.definition.directives)
        + type.extensions.flatMap { edges(to: $0.directives, isExtension: true) }
        + type.enumValues.flatMap { edges(to: $0.definition.directives) }
        + edges(of: type.inputFields)
    }
  }

  private func edges(of values: NamedList<SchemaInputValue>) -> [Edge] {
    values.flatMap { value in
      [Edge(node: .type(value.type.named), span: value.definition.type.span)]
        + edges(to: value.directives)
    }
  }

  private func edges(to directives: [Directive], isExtension: Bool = false) -> [Edge] {
    directives.compactMap { directive in
      schema.directives[named: directive.name.symbol].map {
        Edge(node: .directive($0.symbol), span: directive.span, isExtension: isExtension)
      }
    }
  }
}
