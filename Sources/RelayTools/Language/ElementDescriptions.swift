import GraphQLLanguage
import RelayCompiler

/// The descriptions of elements: their declaration and their documentation.
struct ElementDescriptions {
  let context: LanguageContext
  private var schema: Schema { context.schema }
  private var symbols: SymbolTable { context.symbols }

  init(_ context: LanguageContext) { self.context = context }

  /// The declaration of an element, and its description.
  struct Entry {
    /// The declaration as GraphQL, such as `User.name: String!`.
    let declaration: String
    var description: String?
    var directives: [Directive] = []
  }

  /// Returns the entry of an element; `nil` if it does not exist.
  func entry(of occurrence: Occurrence) -> Entry? {
    switch occurrence.element {
    case .type(let name): schema.type(named: name).map(entry)
    case .field(_, let name):
      occurrence.parent.flatMap { parent in
        context.field(named: name, on: parent).map { entry(of: $0, on: parent) }
      }
    case .argument(_, let field, let name):
      occurrence.parent.flatMap { context.field(named: field, on: $0) }?.arguments[named: name]
        .map(entry)
    case .directive(let name): context.directive(named: name).map(entry)
    case .directiveArgument(let directive, let name):
      context.directive(named: directive)?.arguments[named: name].map(entry)
    case .inputField(let type, let name):
      schema.type(named: type)?.inputFields[named: name].map(entry)
    case .enumValue(let type, let name):
      schema.type(named: type)?.enumValues[named: name].map { entry(of: $0, on: type) }
    case .fragment(let name): context.fragment(name).map(entry)
    case .fragmentVariable(let fragment, let name):
      context.fragmentVariables(of: fragment).first { $0.name.symbol == name }.map(entry)
    case .variable(_, let name):
      occurrence.type.map { Entry(declaration: "$\(symbols[name]): \(schema.text(of: $0))") }
    case .alias:
      occurrence.type.map { Entry(declaration: schema.text(of: $0)) }
    case .operation: nil
    }
  }

  // MARK: Entries

  /// Returns the entry of a type.
  func entry(of type: NamedType) -> Entry {
    let name = symbols[type.symbol]
    let members =
      switch type.kind {
      case .object, .interface: implements(type)
      case .union: " = " + type.memberTypes.map(schema.name).joined(separator: " | ")
      case .scalar, .enum, .inputObject: ""
      }
    let declaration = "\(type.kind.keyword) \(name)\(members)"
    return Entry(
      declaration: declaration, description: type.description, directives: type.directives)
  }

  private func implements(_ type: NamedType) -> String {
    let names = type.interfaces.map(schema.name(of:))
    return names.isEmpty ? "" : " implements " + names.joined(separator: " & ")
  }

  /// Returns the entry of a field.
  func entry(of field: SchemaField, on parent: NamedType) -> Entry {
    let name = symbols[field.symbol]
    let arguments = list(field.arguments)
    return Entry(
      declaration: "\(symbols[parent.symbol]).\(name)\(arguments): \(schema.text(of: field.type))",
      description: field.definition.description?.text, directives: field.definition.directives)
  }

  private func list(_ arguments: NamedList<SchemaInputValue>) -> String {
    arguments.isEmpty ? "" : "(" + arguments.map(text).joined(separator: ", ") + ")"
  }

  private func text(of value: SchemaInputValue) -> String {
    "\(symbols[value.symbol]): \(schema.text(of: value.type))"
      + (value.definition.defaultValue.map { " = \(symbols.text(of: $0))" } ?? "")
  }

  /// Returns the entry of an argument or input field.
  func entry(of value: SchemaInputValue) -> Entry {
    Entry(
      declaration: text(of: value), description: value.definition.description?.text,
      directives: value.definition.directives)
  }

  /// Returns the entry of an enum value.
  func entry(of value: SchemaEnumValue, on type: Symbol) -> Entry {
    Entry(
      declaration: "\(symbols[type]).\(symbols[value.symbol])",
      description: value.definition.description?.text, directives: value.definition.directives)
  }

  /// Returns the entry of a directive.
  func entry(of directive: SchemaDirective) -> Entry {
    let locations = directive.definition.locations.map { symbols[$0.symbol] }
    return Entry(
      declaration: "directive @\(symbols[directive.symbol])\(list(directive.arguments))"
        + (directive.definition.isRepeatable ? " repeatable" : "")
        + " on \(locations.joined(separator: " | "))",
      description: directive.definition.description?.text)
  }

  /// Returns the entry of a fragment, with the name of its Swift struct.
  func entry(of fragment: FragmentDefinition) -> Entry {
    let name = symbols[fragment.name.symbol]
    let variables = context.fragmentVariables(of: fragment.name.symbol)
    let list = variables.map { text(of: $0) }.joined(separator: ", ")
    let type = symbols[fragment.typeCondition.symbol]
    let swift = "Swift: `struct \(SwiftName.definition(name))`"
    let description = fragment.description.map { $0.text + "\n\n" } ?? ""
    return Entry(
      declaration: "fragment \(name)\(list.isEmpty ? "" : "(\(list))") on \(type)",
      description: description + swift)
  }

  private func text(of variable: FragmentVariable) -> String { "$" + argument(of: variable) }

  /// Returns a variable of a fragment as an argument of its spreads.
  func argument(of variable: FragmentVariable) -> String {
    symbols[variable.name.symbol]
      + (variable.type.map { ": \(schema.text(of: $0))" } ?? "")
      + (variable.defaultValue.map { " = \(symbols.text(of: $0))" } ?? "")
  }

  private func entry(of variable: FragmentVariable) -> Entry {
    Entry(declaration: text(of: variable))
  }

  /// Returns the reason for a deprecation; `nil` if the element is not deprecated.
  func deprecation(in directives: [Directive]) -> String? {
    guard let directive = directives[named: symbols.intern("deprecated")] else { return nil }
    guard case .string(let reason, _)? = directive.argument("reason", in: symbols)?.kind else {
      return "No longer supported"
    }
    return reason
  }

  /// Returns the reason for the deprecation of the field, argument, input field or enum value at an
  /// occurrence.
  func deprecation(of occurrence: Occurrence) -> String? {
    switch occurrence.element {
    case .field, .argument, .inputField, .enumValue:
      entry(of: occurrence).flatMap { deprecation(in: $0.directives) }
    default: nil
    }
  }

  /// Returns documentation without the Markdown added here; Markdown in the description itself is
  /// preserved.
  static func plainText(_ documentation: String) -> String {
    let mark = "**Deprecated:**"
    return documentation.hasPrefix(mark)
      ? "Deprecated:" + documentation.dropFirst(mark.count) : documentation
  }

  /// Returns the description and the deprecation, as Markdown.
  func documentation(of entry: Entry) -> String {
    let deprecation = deprecation(in: entry.directives).map { "**Deprecated:** \($0)" }
    return [deprecation, entry.description].compactMap(\.self).joined(separator: "\n\n")
  }
}
