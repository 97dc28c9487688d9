import GraphQLLanguage

/// The element to which a name in a document or schema refers.
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
  /// which uses it.
  case variable(VariableScope, name: Symbol)
  /// A variable that a fragment declares with `@argumentDefinitions`.
  case fragmentVariable(fragment: Symbol, name: Symbol)
  /// The alias of a field.
  case alias(Span)
}

/// The definition in which a variable of an operation is defined or used.
enum VariableScope: Hashable {
  case operation(Symbol)
  case fragment(Symbol)
}

/// A place in a text that refers to an element, or defines it. The element need not exist.
struct Occurrence {
  let element: LanguageElement
  /// The span of the name, without a `$` or `@` before it.
  let span: Span
  var isDefinition = false
  /// The type on which the selection is, or the input object whose field it is.
  var parent: NamedType?
  /// The type of the field, or the type that the argument, variable or value has to have.
  var type: ResolvedType?
  /// The location of a directive.
  var location: DirectiveLocation?
  /// The kind of type that may be named here; `nil` in a type condition.
  var place: TypePlace?
  /// Whether the place is in a value that can have no variables, such as a default value.
  var isConstant = false
  /// The names that may be written here, if they are those of a type that the schema does not have.
  var names: [String] = []
}

/// A place of a type's name, by the types that may be named there.
enum TypePlace: Hashable {
  /// A type that values of variables and arguments can have.
  case input
  /// A type that values of fields can have.
  case output
  /// One of these kinds.
  case kind(TypeDefinition.Kind)
  /// The definition of another type.
  case new
}
