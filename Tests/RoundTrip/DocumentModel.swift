/// Fragments and queries made at random against a schema.
struct DocumentModel {
  struct Condition {
    let variable: String
    let isSkip: Bool

    var text: String { " @\(isSkip ? "skip" : "include")(if: $\(variable))" }
  }

  indirect enum Selection {
    case field(key: String, name: String, Condition?, [Selection])
    case inline(type: String?, Condition?, [Selection])
    case spread(String, Condition?)

    var text: String {
      switch self {
      case .field(let key, let name, let condition, let inner):
        (key == name ? name : "\(key): \(name)") + (condition?.text ?? "")
          + (inner.isEmpty ? "" : " " + Selection.text(inner))
      case .inline(let type, let condition, let inner):
        "..." + (type.map { " on " + $0 } ?? "") + (condition?.text ?? "") + " "
          + Selection.text(inner)
      case .spread(let name, let condition): "..." + name + (condition?.text ?? "")
      }
    }

    static func text(_ selections: [Selection]) -> String {
      "{ " + selections.map(\.text).joined(separator: " ") + " }"
    }

    var condition: Condition? {
      switch self {
      case .field(_, _, let condition, _), .inline(_, let condition, _), .spread(_, let condition):
        condition
      }
    }

    var inner: [Selection] {
      switch self {
      case .field(_, _, _, let inner), .inline(_, _, let inner): inner
      case .spread: []
      }
    }
  }

  struct Definition {
    let name: String
    let type: String
    let selections: [Selection]
  }

  static let variables = ["a", "b"]

  private let schema: SchemaModel
  private(set) var fragments: [Definition] = []
  private(set) var queries: [Definition] = []

  init(schema: SchemaModel, queries count: Int, dice: inout Dice) {
    self.schema = schema
    let composites = ["Dog", "Cat", "Fish", "Stone", "Ghost", "Animal", "Named", "Thing", "Pet"]
    for number in 0..<6 {
      let type = dice.pick(composites)
      let selections = selections(on: type, depth: 2, dice: &dice)
      fragments.append(Definition(name: "F\(number)_x", type: type, selections: selections))
    }
    for number in 0..<count {
      let selections = selections(on: "Query", depth: 3, dice: &dice)
      queries.append(Definition(name: "Q\(number)Query", type: "Query", selections: selections))
    }
  }

  func fragment(_ name: String) -> Definition? { fragments.first { $0.name == name } }

  // MARK: Making

  private func condition(_ dice: inout Dice) -> Condition? {
    guard dice.percent(15) else { return nil }
    return Condition(variable: dice.pick(Self.variables), isSkip: dice.percent(40))
  }

  private func selections(on type: String, depth: Int, dice: inout Dice) -> [Selection] {
    var result: [Selection] = []
    for name in dice.some(of: schema.fields(of: type), percent: type == "Query" ? 25 : 30) {
      guard let field = field(name, depth: depth, dice: &dice) else { continue }
      result.append(field)
    }
    if dice.percent(5) {
      result.append(.field(key: "what", name: "__typename", condition(&dice), []))
    }
    if type != "Query" {
      for _ in 0..<dice.pick([0, 0, 1, 1, 2]) where depth > 0 {
        let narrower = dice.percent(15) ? nil : dice.pick(schema.overlapping(type))
        let inner = selections(on: narrower ?? type, depth: depth - 1, dice: &dice)
        result.append(.inline(type: narrower, condition(&dice), inner))
      }
      let usable = fragments.filter { schema.overlapping(type).contains($0.type) }
      for fragment in dice.some(of: usable, percent: 20) {
        result.append(.spread(fragment.name, condition(&dice)))
      }
    }
    if result.isEmpty { return [fallback(on: type, dice: &dice)] }
    return result
  }

  private func field(_ name: String, depth: Int, dice: inout Dice) -> Selection? {
    guard let shape = schema.shapes[name] else { return nil }
    let key = dice.percent(15) ? "also_" + name : name
    guard schema.isComposite(shape.leaf) else {
      return .field(key: key, name: name, condition(&dice), [])
    }
    if depth == 0 { return nil }
    let inner = selections(on: shape.leaf, depth: depth - 1, dice: &dice)
    return .field(key: key, name: name, condition(&dice), inner)
  }

  /// A selection that every type has.
  private func fallback(on type: String, dice: inout Dice) -> Selection {
    if type == "Query" {
      let name = dice.pick(schema.roots)
      let inner: [Selection] = [.field(key: "__typename", name: "__typename", nil, [])]
      return .field(key: name, name: name, nil, inner)
    }
    return .field(key: "__typename", name: "__typename", nil, [])
  }

  // MARK: Text

  /// The variables that a definition uses, those of its fragments included.
  func variables(of definition: Definition) -> [String] {
    var used: Set<String> = []
    var seen: Set<String> = []
    func visit(_ selections: [Selection]) {
      for selection in selections {
        if let condition = selection.condition { used.insert(condition.variable) }
        visit(selection.inner)
        if case .spread(let name, _) = selection, seen.insert(name).inserted {
          visit(fragment(name)?.selections ?? [])
        }
      }
    }
    visit(definition.selections)
    return used.sorted()
  }

  /// All definitions; fragments that no query reaches are left out by nobody and only validated.
  var text: String {
    let operations = queries.map { query in
      let declared = variables(of: query).map { "$\($0): Boolean!" }.joined(separator: ", ")
      return "query \(query.name)" + (declared.isEmpty ? "" : "(\(declared))") + " "
        + Selection.text(query.selections)
    }
    let shared = fragments.map {
      "fragment \($0.name) on \($0.type) " + Selection.text($0.selections)
    }
    return (operations + shared).joined(separator: "\n")
  }
}
