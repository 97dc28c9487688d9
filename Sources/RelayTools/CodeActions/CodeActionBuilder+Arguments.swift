import GraphQLLanguage
import RelayCompiler

extension CodeActionBuilder {
  /// The field or directive whose argument is missing.
  private struct Call {
    let name: Name
    let arguments: [Argument]
    /// The argument's type.
    let type: ResolvedType?
    let definition: Definition
  }

  /// Adds the argument that the field or directive at a span needs.
  mutating func addArgument(_ name: String, at span: Span) {
    let place = selection(around: span)
    guard let definition = place?.definition ?? self.definition(around: span) else { return }
    let directives = place?.selection.directives ?? definition.executableDirectives
    let argument = symbols.intern(name)
    if let directive = directives.first(where: { $0.span == span }) {
      let type = context.directive(named: directive.name.symbol)?.arguments[named: argument]?.type
      let call = Call(
        name: directive.name, arguments: directive.arguments, type: type, definition: definition)
      for value in values(of: name, type, for: directive, at: place) {
        add("\(name): \(value)", to: call)
      }
    } else if let place, case .field(let field) = place.selection {
      let type = self.definition(of: field, on: place.parent)?.arguments[named: argument]?.type
      addArgument(
        name,
        to: Call(
          name: field.name, arguments: field.arguments, type: type, definition: definition))
    }
  }

  private func definition(around span: Span) -> Definition? {
    document.definitions.first { $0.span.start <= span.start && span.end <= $0.span.end }
  }

  private mutating func add(_ argument: String, to call: Call, _ declaration: Edit? = nil) {
    let edit =
      call.arguments.last.map { insertion(", " + argument, after: $0.span) }
      ?? insertion("(\(argument))", after: call.name.span)
    actions.append(
      Action(
        title: "Add argument \"\(argument)\"", kind: .quickFix,
        edits: (declaration.map { [$0] } ?? []) + [edit]))
  }

  /// Adds a field's argument: a variable of the operation, or a value in a fragment.
  private mutating func addArgument(_ name: String, to call: Call) {
    guard let type = call.type else { return }
    guard case .operation(let operation) = call.definition else {
      if let value = placeholder(of: type) { add("\(name): \(value)", to: call) }
      return
    }
    let text = schema.text(of: type)
    let same = operation.variables.first { symbols[$0.name.symbol] == name }
    if let same, schema.resolve(same.type) == type { return add("\(name): $\(name)", to: call) }
    let variable = free(symbols.intern(name), operation.variables.map(\.name))
    if let declaration = declaration("$\(variable): \(text)", in: operation) {
      add("\(name): $\(variable)", to: call, declaration)
    }
  }

  /// Returns the values that a directive's argument can have.
  private func values(
    of argument: String, _ type: ResolvedType?, for directive: Directive, at place: SelectionPlace?
  ) -> [String] {
    let name = symbols[directive.name.symbol]
    if let values = ClientDirectives.values(of: argument, in: name) { return values }
    if name == "connection", argument == "key", let place, case .field(let field) = place.selection
    {
      let owner = place.definition.executableName.map { symbols[$0.symbol] } ?? names.prefix
      return ["\"\(owner)_\(symbols[field.responseKey])\""]
    }
    // No other value is right for one of Relay's directives.
    guard schema.directives[named: directive.name.symbol] != nil else { return [] }
    return type.flatMap { placeholder(of: $0) }.map { [$0] } ?? []
  }

  /// Returns a value of a type; `nil` if required fields are too many or nested too deeply.
  private func placeholder(of type: ResolvedType) -> String? {
    var rest = 50
    return placeholder(of: type, depth: 0, fields: &rest)
  }

  /// - Parameter rest: The number of fields that the value may still have.
  private func placeholder(of type: ResolvedType, depth: Int, fields rest: inout Int) -> String? {
    if type.isList { return "[]" }
    let named = schema[type.named]
    switch named.kind {
    case .enum:
      let value = named.enumValues.first { $0.deprecationReason == nil } ?? named.enumValues.first
      return value.map { symbols[$0.symbol] }
    case .inputObject:
      guard depth < 4 else { return nil }
      let required = named.inputFields.filter(\.isRequired)
      var fields: [String] = []
      for field in named.isOneOf ? Array(named.inputFields.prefix(1)) : required {
        rest -= 1
        guard rest >= 0, let value = placeholder(of: field.type, depth: depth + 1, fields: &rest)
        else { return nil }
        fields.append("\(symbols[field.symbol]): \(value)")
      }
      return "{\(fields.joined(separator: ", "))}"
    default:
      switch symbols[named.symbol] {
      case "Int", "Float": return "0"
      case "Boolean": return "false"
      default: return "\"\""
      }
    }
  }
}
