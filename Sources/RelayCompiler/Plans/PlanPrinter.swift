import GraphQLLanguage

/// A printer of flattened selections in the notation of Docs/Reference/PlanNotation.md.
struct PlanPrinter {
  private let schema: Schema
  private let values: ValuePrinter
  private let uses: VariableUses
  private let keys: KeyFields

  /// Creates a printer.
  ///
  /// - Parameters:
  ///   - uses: The operation variables that fragments use, for reader plans.
  ///   - keys: The fields that identify objects.
  package init(
    schema: Schema, uses: VariableUses = VariableUses(), keys: KeyFields = KeyFields()
  ) {
    self.schema = schema
    self.uses = uses
    self.keys = keys
    values = ValuePrinter(symbols: schema.symbols)
  }

  /// Returns the plan of an object.
  package func plan(_ selections: [IR.Selection], on type: TypeID) -> UTF8Buffer {
    var text = UTF8Buffer()
    add(selections, on: type, to: &text)
    return text
  }

  /// Returns the plan of a fragment: its own variables with their defaults, then its object.
  package func plan(_ fragment: IR.Fragment) -> UTF8Buffer {
    let variables = fragment.fragmentVariables
      .map { (schema.symbols[$0.name], $0.defaultValue) }
      .sorted(byText: \.0)
      .map { "$" + $0.0 + ($0.1.map { "=" + values.json($0) } ?? "") }
    var text = UTF8Buffer()
    if !variables.isEmpty { text += "(" + variables.joined(separator: ",") + ")" }
    add(uses[fragment.name], to: &text)
    text += handling(fragment.handling)
    add(fragment.selections, on: fragment.type, to: &text)
    return text
  }

  /// Returns the reader plan of an operation.
  package func plan(_ operation: IR.Operation) -> UTF8Buffer {
    var text = UTF8Buffer()
    text += handling(operation.handling)
    add(operation.selections, on: operation.root, to: &text)
    return text
  }

  private func handling(_ handling: IR.ErrorHandling?) -> String {
    handling.map { "~\($0.rawValue) " } ?? ""
  }

  // MARK: Objects

  // Plans are long, so the methods below append to one buffer instead of joining many strings.

  private func add(_ selections: [IR.Selection], on type: TypeID, to text: inout UTF8Buffer) {
    let type = schema[type]
    if type.isAbstract { text += "*" }
    text += schema.symbols[type.symbol]
    text += "{"
    add(selections, to: &text)
    text += "}"
  }

  /// Adds selections. Adjacent selections with the same guard share it.
  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  private func add(_ selections: [IR.Selection], to text: inout UTF8Buffer) {
    var condition = Guard.always
    for (index, selection) in selections.enumerated() {
      let isSame = index > 0 && condition == selection.condition
      if index > 0, !isSame { close(condition, in: &text) }
      if index > 0 { text += " " }
      if !isSame {
        condition = selection.condition
        appendOpening(of: condition, to: &text)
      }
      add(selection, to: &text)
    }
    close(condition, in: &text)
  }

  private func appendOpening(of condition: Guard, to text: inout UTF8Buffer) {
    for clause in condition.clauses {
      text += "...if " + clause.map(literal).joined(separator: "|") + "{"
    }
  }

  private func close(_ condition: Guard, in text: inout UTF8Buffer) {
    for _ in condition.clauses { text += "}" }
  }

  private func literal(_ literal: Guard.Literal) -> String {
    switch literal {
    case .variable(let name, let isNegated): (isNegated ? "!$" : "$") + schema.symbols[name]
    case .deferred(let part): self.part(part)
    }
  }

  /// Returns the label of a deferred part, followed by its fragment's name unless that is the
  /// label's last component.
  private func part(_ part: DeferredPart) -> String {
    let label = schema.symbols[part.label]
    let fragment = schema.symbols[part.fragment]
    let isNamed = label.split(separator: "$").last == Substring(fragment)
    return ValuePrinter.quoted(label) + (isNamed ? "" : ":" + fragment)
  }

  private func add(_ selection: IR.Selection, to text: inout UTF8Buffer) {
    switch selection.content {
    case .field(let field): add(field, to: &text)
    case .spread(let spread):
      text += "..."
      if let alias = spread.alias { text += schema.symbols[alias] + ":" }
      text += schema.symbols[spread.name]
      add(spread.arguments, to: &text)
      add(uses[spread.name], to: &text)
    case .inlineFragment(let fragment):
      text += "...on "
      add(fragment.selections, on: fragment.type, to: &text)
    }
  }

  // MARK: Fields

  private func add(_ field: IR.Field, to text: inout UTF8Buffer) {
    if field.isKey { text += "#" } else if isIDOfOtherScalar(field) { text += "##" }
    if isClient(field) { text += "?" }
    if let connection = field.connection {
      text += schema.symbols[field.responseKey] + ":__\(connection.key)_connection"
      add(field.arguments.filter { connection.filters.contains($0.name) }, to: &text)
    } else {
      if field.responseKey != field.name {
        text += schema.symbols[field.responseKey]
        text += ":"
      }
      text += schema.symbols[field.name]
      add(field.arguments, to: &text)
    }
    text += " "
    add(field.type.shape, of: field, to: &text)
    if let required = field.required { text += "~" + required.rawValue.lowercased() }
    if let catches = field.catches { text += "~" + catches.rawValue.lowercased() }
    addHandles(of: field, to: &text)
  }

  /// Returns whether the field is an identifying `id` of a type other than `ID`.
  private func isIDOfOtherScalar(_ field: IR.Field) -> Bool {
    field.name == .idField && keys.isIDScalar(field.type) && field.arguments.isEmpty
  }

  /// Returns whether only updaters write the field. `__id` and derived fields are also client-only,
  /// but they are computed from the record.
  private func isClient(_ field: IR.Field) -> Bool {
    field.isClient && field.derived == nil && schema.symbols[field.name] != "__id"
  }

  private func add(_ shape: TypeShape, of field: IR.Field, to text: inout UTF8Buffer) {
    if let item = shape.item {
      text += "["
      add(item, of: field, to: &text)
      text += "]"
    } else {
      addLeaf(of: field, to: &text)
    }
    if shape.isNonNull { text += "!" }
  }

  private func addLeaf(of field: IR.Field, to text: inout UTF8Buffer) {
    let type = schema[field.type.named]
    if type.isComposite { return add(field.selections, on: type.id, to: &text) }
    if type.kind == .enum { text += "@" }
    text += schema.symbols[type.symbol]
  }

  /// Adds the field's handles, which the runtime executes after writing the response.
  private func addHandles(of field: IR.Field, to text: inout UTF8Buffer) {
    if let fragment = field.derived {
      text += "%derived(fragment:" + ValuePrinter.quoted(schema.symbols[fragment]) + ")"
    }
    for handle in field.handles {
      text += "%" + handle.name
      add(handle.arguments, to: &text)
    }
  }

  /// Adds the operation variables that a fragment uses.
  private func add(_ variables: [Symbol], to text: inout UTF8Buffer) {
    if variables.isEmpty { return }
    let names = variables.map { "$\(schema.symbols[$0])" }.joined(separator: ",")
    text += "<\(names)>"
  }

  private func add(_ arguments: [IR.Argument], to text: inout UTF8Buffer) {
    if arguments.isEmpty { return }
    text += "(" + values.sortedJSON(arguments) + ")"
  }
}
