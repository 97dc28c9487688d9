/// A model of a server: a graph of objects generated on demand, and the execution of operations
/// against it.
final class ResponseModel {
  indirect enum Value {
    case null
    /// A leaf value as JSON and as a Swift expression. An enum value's expression omits the type's
    /// name.
    case leaf(json: String, swift: String)
    case object(Node)
    case list([Value])
  }

  /// An object of the server's graph.
  final class Node {
    let type: String
    /// The id of the object's record in the store.
    let id: String
    var values: [String: Value] = [:]

    init(type: String, id: String) { (self.type, self.id) = (type, id) }
  }

  let schema: SchemaModel
  let documents: DocumentModel
  let root: Node
  /// Whether numbers are spelled as Swift prints them. An optimistic response's numbers come from
  /// Swift values, so their original spelling is lost.
  let hasPlainNumbers: Bool
  private(set) var variables: [String: Bool] = [:]
  private(set) var reached: [String: Int] = [:]
  private var dice: Dice
  private var created: [Node] = []
  private var count = 0

  /// - Parameter type: The root type of the operation, `Query` or `Mutation`.
  init(schema: SchemaModel, documents: DocumentModel, type: String, dice: Dice) {
    self.schema = schema
    root = Node(type: type, id: type == "Query" ? "client:root" : "client:local:1")
    hasPlainNumbers = type == "Mutation"
    self.documents = documents
    self.dice = dice
    for name in DocumentModel.variables { variables[name] = self.dice.percent(50) }
  }

  /// Counts one more occurrence of a state that every run must reach.
  func markReached(_ state: String) { reached[state, default: 0] += 1 }

  // MARK: Selections

  /// A selection, and the values of the local variables of its fragment.
  struct Scoped {
    let selection: DocumentModel.Selection
    let locals: [String: Bool]
  }

  /// A spread of a masked or `@inline` fragment.
  struct Spread {
    let name: String
    let property: String
    let locals: [String: Bool]
  }

  func scoped(
    _ selections: [DocumentModel.Selection], _ locals: [String: Bool] = [:]
  ) -> [Scoped] {
    selections.map { Scoped(selection: $0, locals: locals) }
  }

  /// The collected fields of an object by response key, and its fragment spreads.
  struct Collected {
    var keys: [String] = []
    var fields: [String: (name: String, inner: [Scoped])] = [:]
    var spreads: [Spread] = []
  }

  /// - Parameter opensSpreads: Whether the selections of masked spreads are included. The server
  ///   includes them; a generated struct does not.
  func collect(
    _ selections: [Scoped], type: String, opensSpreads: Bool
  ) -> Collected {
    var result = Collected()
    collect(selections, type: type, opensSpreads: opensSpreads, into: &result)
    return result
  }

  private func collect(
    _ selections: [Scoped], type: String, opensSpreads: Bool, into result: inout Collected
  ) {
    for scoped in selections where holds(scoped.selection.condition, scoped.locals) {
      switch scoped.selection {
      case .field(let key, let name, _, let inner):
        if result.fields[key] == nil { result.keys.append(key) }
        let known = result.fields[key]?.inner ?? []
        result.fields[key] = (name, known + self.scoped(inner, scoped.locals))
      case .inline(let condition, _, let inner):
        guard condition.map({ schema.possible($0).contains(type) }) ?? true else { continue }
        collect(
          self.scoped(inner, scoped.locals), type: type, opensSpreads: opensSpreads, into: &result)
      case .spread(let spread, _):
        guard let fragment = documents.fragment(spread.name),
          schema.possible(fragment.type).contains(type)
        else { continue }
        let locals = locals(of: fragment, spread.argument, scoped.locals)
        if !spread.isUnmasked, !result.spreads.contains(where: { $0.property == spread.property }) {
          result.spreads.append(
            Spread(name: spread.name, property: spread.property, locals: locals))
        }
        if opensSpreads || spread.isUnmasked {
          collect(
            self.scoped(fragment.selections, locals), type: type, opensSpreads: opensSpreads,
            into: &result)
        }
      }
    }
  }

  /// The values of a fragment's local variables at one of its spreads.
  private func locals(
    of fragment: DocumentModel.Definition, _ argument: String?, _ outer: [String: Bool]
  ) -> [String: Bool] {
    guard fragment.hasLocal else { return [:] }
    let value =
      switch argument {
      case nil: fragment.localDefault ?? false
      case "true": true
      case "false": false
      case let text?: value(of: String(text.dropFirst()), outer)
      }
    markReached(argument == nil ? "default of an argument" : "argument")
    return [DocumentModel.local: value]
  }

  private func value(of variable: String, _ locals: [String: Bool]) -> Bool {
    locals[variable] ?? variables[variable] ?? false
  }

  private func holds(_ condition: DocumentModel.Condition?, _ locals: [String: Bool]) -> Bool {
    condition.map { value(of: $0.variable, locals) != $0.isSkip } ?? true
  }

  // MARK: The graph

  /// The value of a field, generated on first access.
  func value(of name: String, in node: Node) -> Value {
    if name == "__typename" {
      return .leaf(json: "\"\(node.type)\"", swift: "\"\(node.type)\"")
    }
    if let value = node.values[name] { return value }
    guard let type = schema.fieldTypes[name] else { return .null }
    let value = make(type, parent: node, key: name, positions: "")
    node.values[name] = value
    return value
  }

  private func make(
    _ type: SchemaModel.TypeReference, parent: Node, key: String, positions: String
  ) -> Value {
    switch type {
    case .named(_, isNonNull: false) where dice.percent(25): return null(positions)
    case .list(_, isNonNull: false) where dice.percent(20): return null(positions)
    case .named(let name, _):
      return schema.isComposite(name)
        ? .object(object(name, parent: parent, key: key + positions)) : leaf(name)
    case .list(let item, _):
      let length = dice.pick([0, 1, 2])
      markReached(length == 0 ? "empty list" : positions.isEmpty ? "list" : "list of lists")
      return .list(
        (0..<length).map { make(item, parent: parent, key: key, positions: positions + ":\($0)") })
    }
  }

  private func null(_ positions: String) -> Value {
    markReached(positions.isEmpty ? "null" : "null in a list")
    return .null
  }

  private func object(_ type: String, parent: Node, key: String) -> Node {
    let concrete = dice.pick(schema.possible(type))
    if dice.percent(15), let shared = created.last(where: { $0.type == concrete }) {
      markReached("shared record")
      return shared
    }
    guard schema.object(concrete)?.hasID == true else {
      markReached("object without id")
      let prefix = parent.id.hasPrefix("client:") ? "" : "client:"
      return Node(type: concrete, id: prefix + parent.id + ":" + key)
    }
    count += 1
    let node = Node(type: concrete, id: "\(concrete)-\(count)")
    created.append(node)
    return node
  }

  private func leaf(_ type: String) -> Value {
    switch type {
    case "Int":
      let number = dice.pick([0, -7, 41, 2_147_483_647])
      return .leaf(json: "\(number)", swift: "\(number)")
    case "Float":
      let number = dice.pick(
        hasPlainNumbers
          ? ["0.5", "-2.25", "12.75"]
          : ["1", "0.5", "-2.25", "1e3", "1.50", "0.1000000000000000055", "1e-7"])
      return .leaf(json: number, swift: number)
    case "Boolean":
      let bool = dice.percent(50)
      return .leaf(json: "\(bool)", swift: "\(bool)")
    case "Color":
      let name = dice.pick(SchemaModel.enumValues + ["MAUVE"])
      markReached(name == "MAUVE" ? "unknown enum value" : "enum value")
      return .leaf(json: "\"\(name)\"", swift: "(rawValue: \"\(name)\")")
    default:
      if type == "Moment" { markReached("custom scalar") }
      let text = dice.pick([
        ("", ""), ("x", "x"), (#"\"\\\n"#, #"\"\\\n"#), (#"é\u200d"#, #"é\u{200D}"#),
      ])
      return .leaf(json: "\"\(text.0)\"", swift: "\"\(text.1)\"")
    }
  }

  // MARK: The response

  /// The data of the response to `query`, as JSON.
  func response(to query: DocumentModel.Definition) -> String {
    json(.object(root), scoped(query.selections))
  }

  private func json(_ value: Value, _ selections: [Scoped]) -> String {
    switch value {
    case .null: return "null"
    case .leaf(let json, _): return json
    case .list(let items):
      return "[" + items.map { json($0, selections) }.joined(separator: ",") + "]"
    case .object(let node):
      let collected = collect(selections, type: node.type, opensSpreads: true)
      var members: [String] = []
      if node !== root {
        // The fields that the compiler adds to the query document.
        members.append("\"__typename\":\"\(node.type)\"")
        if schema.object(node.type)?.hasID == true { members.append("\"id\":\"\(node.id)\"") }
        for type in schema.overlapping(node.type) where schema.isAbstract(type) {
          members.append("\"__is\(type)\":\"\(node.type)\"")
        }
      }
      for key in collected.keys where key != "__typename" {
        guard let field = collected.fields[key] else { continue }
        members.append("\"\(key)\":" + json(self.value(of: field.name, in: node), field.inner))
      }
      return "{" + members.joined(separator: ",") + "}"
    }
  }
}
