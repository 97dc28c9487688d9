import GraphQLLanguage

/// The element that a name in a document or schema refers to.
enum LanguageElement: Hashable {
  case type(Symbol)
  case field(type: Symbol, name: Symbol)
  case argument(type: Symbol, field: Symbol, name: Symbol)
  case directive(Symbol)
  case directiveArgument(directive: Symbol, name: Symbol)
  case inputField(type: Symbol, name: Symbol)
  case enumValue(type: Symbol, name: Symbol)
  case fragment(Symbol)
  case operation(Symbol)
  /// A variable of the operation that defines it, or of the operations that spread the fragment
  /// using it.
  case variable(VariableScope, name: Symbol)
  /// A variable that a fragment declares with `@argumentDefinitions`.
  case fragmentVariable(fragment: Symbol, name: Symbol)
  /// The alias of a field.
  case alias(Span)
}

/// The definition that defines or uses an operation's variable.
enum VariableScope: Hashable {
  case operation(Symbol)
  case fragment(Symbol)
}

/// A name in a source that refers to an element or defines it. The element need not exist.
struct Occurrence {
  let element: LanguageElement
  /// The span of the name, without a leading `$` or `@`.
  let span: Span
  var isDefinition = false
  /// The parent type of the selection, or the input object of the input field.
  var parent: NamedType?
  /// The type of the field, or the expected type of the argument, variable or value; for a
  /// directive on a field, the type of the field.
  var type: ResolvedType?
  /// The location of a directive.
  var location: DirectiveLocation?
  /// The kind of type that may be named here; `nil` in a type condition.
  var place: TypePlace?
  /// Whether the occurrence is in a value without variables, such as a default value.
  var isConstant = false
  /// The names that may be written here, if they belong to a type outside the schema.
  var names: [String] = []
  /// The selection that a directive is on.
  var selection: Selection?
  /// The list of directives, arguments or input fields that contains the name.
  var list = NameList.none
}

/// A list in which a name is given once.
enum NameList {
  case none
  case directives([Directive])
  case arguments([Argument])
  case inputFields([ObjectField])

  /// The names in the list, in source order.
  var names: [Symbol] {
    switch self {
    case .none: []
    case .directives(let directives): directives.map(\.name.symbol)
    case .arguments(let arguments): arguments.map(\.name.symbol)
    case .inputFields(let fields): fields.map(\.name.symbol)
    }
  }
}

/// The position of a type's name, classified by the types allowed there.
enum TypePlace: Hashable {
  /// A type allowed for variables and arguments.
  case input
  /// A type allowed for fields.
  case output
  /// One of these kinds.
  case kind(TypeDefinition.Kind)
  /// The definition of another type.
  case new
}
