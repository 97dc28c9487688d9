/// Random fragments, queries and mutations that are valid against a schema.
struct DocumentModel {
  struct Condition {
    let variable: String
    let isSkip: Bool

    var text: String { " @\(isSkip ? "skip" : "include")(if: $\(variable))" }
  }

  struct Spread {
    let name: String
    /// The name given by `@alias`.
    var alias: String?
    /// Whether the spread has `@relay(mask: false)`.
    var isUnmasked = false
    /// The argument for the fragment's local variable: a literal, or the name of a variable with
    /// its `$`.
    var argument: String?

    /// The name of the generated property of the spread.
    var property: String { alias ?? name.prefix(1).lowercased() + name.dropFirst() }

    var text: String {
      "..." + name + (argument.map { " @arguments(\(local): \($0))" } ?? "")
        + (alias.map { " @alias(as: \"\($0)\")" } ?? "")
        + (isUnmasked ? " @relay(mask: false)" : "")
    }
  }

  indirect enum Selection {
    case field(key: String, name: String, Condition?, [Selection])
    case inline(type: String?, Condition?, [Selection])
    case spread(Spread, Condition?)

    var text: String {
      switch self {
      case .field(let key, let name, let condition, let inner):
        (key == name ? name : "\(key): \(name)") + (condition?.text ?? "")
          + (inner.isEmpty ? "" : " " + Selection.text(inner))
      case .inline(let type, let condition, let inner):
        "..." + (type.map { " on " + $0 } ?? "") + (condition?.text ?? "") + " "
          + Selection.text(inner)
      case .spread(let spread, let condition): spread.text + (condition?.text ?? "")
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
    var selections: [Selection] = []
    /// Whether the fragment has `@inline`.
    var isInline = false
    /// Whether its spreads may have `@relay(mask: false)`.
    var allowsUnmasking = false
    /// Whether the fragment declares the local variable; `localDefault` is the variable's default.
    var hasLocal = false
    var localDefault: Bool?

    fileprivate var directives: String {
      let type = "\"Boolean\(localDefault == nil ? "!" : "")\""
      let value = localDefault.map { ", defaultValue: \($0)" } ?? ""
      return (isInline ? " @inline" : "")
        + (hasLocal ? " @argumentDefinitions(\(local): {type: \(type)\(value)})" : "")
    }
  }

  static let variables = ["a", "b"]
  /// The local variable that some fragments declare.
  static let local = "c"

  private let schema: SchemaModel
  private(set) var fragments: [Definition] = []
  private(set) var queries: [Definition] = []
  /// Mutations with the selections of some of the queries.
  private(set) var mutations: [Definition] = []
  /// The arguments that the current definition passes to fragments with a local variable, by
  /// fragment.
  ///
  /// All spreads of a fragment in a definition pass the same argument, because different ones would
  /// conflict on one object.
  private var arguments: [String: String?] = [:]
  /// The definition being generated.
  private var current = Definition(name: "", type: "")

  init(schema: SchemaModel, queries count: Int, dice: inout Dice) {
    self.schema = schema
    let composites = ["Dog", "Cat", "Fish", "Stone", "Ghost", "Animal", "Named", "Thing", "Pet"]
    for number in 0..<7 {
      let type = dice.pick(composites)
      var fragment = Definition(name: "F\(number)_x", type: type)
      fragment.isInline = number == 2
      fragment.allowsUnmasking = number == 3
      fragment.hasLocal = number > 3 && number < 6
      if fragment.hasLocal { fragment.localDefault = dice.pick([nil, true, false]) }
      fragments.append(define(fragment, depth: 2, dice: &dice))
    }
    for number in 0..<count {
      let query = Definition(name: "Q\(number)Query", type: "Query")
      queries.append(define(query, depth: 3, dice: &dice))
      if number % 3 > 0 { continue }
      let selections = queries[number].selections
      mutations.append(
        Definition(name: "M\(number)Mutation", type: "Mutation", selections: selections))
    }
  }

  private mutating func define(
    _ definition: Definition, depth: Int, dice: inout Dice
  ) -> Definition {
    arguments = [:]
    current = definition
    var result = definition
    result.selections = selections(on: definition.type, depth: depth, dice: &dice)
    if definition.hasLocal {
      // An unused argument definition is an error.
      let condition = Condition(variable: Self.local, isSkip: false)
      result.selections.append(.field(key: "kept", name: "__typename", condition, []))
    }
    return result
  }

  func fragment(_ name: String) -> Definition? { fragments.first { $0.name == name } }

  // MARK: Generation

  private func condition(_ dice: inout Dice) -> Condition? {
    guard dice.percent(15) else { return nil }
    let variables = Self.variables + (current.hasLocal ? [Self.local, Self.local] : [])
    return Condition(variable: dice.pick(variables), isSkip: dice.percent(40))
  }

  private mutating func selections(on type: String, depth: Int, dice: inout Dice) -> [Selection] {
    var result: [Selection] = []
    for name in dice.some(of: schema.fields(of: type), percent: SchemaModel.isRoot(type) ? 25 : 30)
    {
      guard let field = field(name, depth: depth, dice: &dice) else { continue }
      result.append(field)
    }
    if dice.percent(5) {
      result.append(.field(key: "what", name: "__typename", condition(&dice), []))
    }
    if !SchemaModel.isRoot(type) {
      for _ in 0..<dice.pick([0, 0, 1, 1, 2]) where depth > 0 {
        let narrower = dice.percent(15) ? nil : dice.pick(schema.overlapping(type))
        let inner = selections(on: narrower ?? type, depth: depth - 1, dice: &dice)
        result.append(.inline(type: narrower, condition(&dice), inner))
      }
      let usable = fragments.filter { schema.overlapping(type).contains($0.type) }
      for fragment in dice.some(of: usable, percent: 20) {
        result.append(.spread(spread(of: fragment, dice: &dice), condition(&dice)))
      }
    }
    if result.isEmpty { return [fallback(on: type, dice: &dice)] }
    return result
  }

  private mutating func spread(of fragment: Definition, dice: inout Dice) -> Spread {
    var spread = Spread(name: fragment.name)
    if fragment.allowsUnmasking, dice.percent(60) {
      spread.isUnmasked = true
      return spread
    }
    if dice.percent(15) { spread.alias = "al_" + fragment.name }
    guard fragment.hasLocal else { return spread }
    if arguments[fragment.name] == nil {
      var choices = ["true", "false"] + Self.variables.map { "$" + $0 }
      if current.hasLocal, current.localDefault == nil { choices.append("$" + Self.local) }
      arguments[fragment.name] =
        fragment.localDefault != nil && dice.percent(40) ? .some(nil) : dice.pick(choices)
    }
    spread.argument = arguments[fragment.name] ?? nil
    return spread
  }

  private mutating func field(_ name: String, depth: Int, dice: inout Dice) -> Selection? {
    guard let type = schema.fieldTypes[name] else { return nil }
    let key = dice.percent(15) ? "also_" + name : name
    guard schema.isComposite(type.namedType) else {
      return .field(key: key, name: name, condition(&dice), [])
    }
    if depth == 0 { return nil }
    let inner = selections(on: type.namedType, depth: depth - 1, dice: &dice)
    return .field(key: key, name: name, condition(&dice), inner)
  }

  /// Returns a selection that is valid for every type, so that no selection set is empty.
  private func fallback(on type: String, dice: inout Dice) -> Selection {
    if type == "Query" {
      let name = dice.pick(schema.roots)
      let inner: [Selection] = [.field(key: "__typename", name: "__typename", nil, [])]
      return .field(key: name, name: name, nil, inner)
    }
    return .field(key: "__typename", name: "__typename", nil, [])
  }

  // MARK: Text

  /// The operation variables that a definition uses, including its fragments' variables.
  func variables(of definition: Definition) -> [String] {
    var used: Set<String> = []
    var seen: Set<String> = []
    func visit(_ selections: [Selection]) {
      for selection in selections {
        if let condition = selection.condition { used.insert(condition.variable) }
        visit(selection.inner)
        guard case .spread(let spread, _) = selection else { continue }
        if let argument = spread.argument, argument.hasPrefix("$") {
          used.insert(String(argument.dropFirst()))
        }
        if seen.insert(spread.name).inserted {
          visit(fragment(spread.name)?.selections ?? [])
        }
      }
    }
    visit(definition.selections)
    return used.subtracting([Self.local]).sorted()
  }

  /// The source of all definitions. It includes fragments that no operation reaches; the compiler
  /// validates them.
  var text: String {
    let operations = (queries + mutations).map { query in
      let declared = variables(of: query).map { "$\($0): Boolean!" }.joined(separator: ", ")
      return "\(query.type.lowercased()) \(query.name)" + (declared.isEmpty ? "" : "(\(declared))")
        + " "
        + Selection.text(query.selections)
    }
    let shared = fragments.map {
      "fragment \($0.name) on \($0.type)\($0.directives) " + Selection.text($0.selections)
    }
    return (operations + shared).joined(separator: "\n")
  }
}
