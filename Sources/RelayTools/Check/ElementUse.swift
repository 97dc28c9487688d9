import GraphQLLanguage

/// A use of a schema element by an operation.
enum ElementUse: Hashable {
  /// The root type of the operation.
  case root(OperationType)
  /// A type that is named, selected from, or passed.
  case type(Symbol)
  /// The selection of a field.
  case field(type: Symbol, name: Symbol)
  /// An argument with a value.
  case argument(type: Symbol, field: Symbol, name: Symbol)
  /// An argument without a value, or with a variable that may have none.
  case omittedArgument(type: Symbol, field: Symbol, name: Symbol)
  /// A value of an input object type.
  case inputObject(Symbol)
  /// An input field with a value in the operation's text.
  case inputField(type: Symbol, name: Symbol)
  /// An input field that a variable may have.
  case sentInputField(type: Symbol, name: Symbol)
  /// An input field without a value.
  case omittedInputField(type: Symbol, name: Symbol)
  /// A literal enum value.
  case enumValue(type: Symbol, name: Symbol)
  /// An enum whose values a variable may have.
  case sentEnum(Symbol)
  /// An enum whose values a response may have.
  case receivedEnum(Symbol)
  /// An interface or union whose objects a response may have.
  case receivedObject(Symbol)
  /// A fragment on a type, where an object of the parent type is selected.
  case condition(parent: Symbol, type: Symbol)
  case directive(Symbol, at: DirectiveLocation)
  case directiveArgument(directive: Symbol, name: Symbol)
  case omittedDirectiveArgument(directive: Symbol, name: Symbol)
}
