/// The three kinds of operations.
public enum OperationType: String, CaseIterable, Hashable, Sendable {
  /// `query`
  case query
  /// `mutation`
  case mutation
  /// `subscription`
  case subscription
}

/// A query, mutation or subscription.
public struct OperationDefinition: Hashable, Sendable {
  /// The string before the operation.
  public var description: Description?
  /// Query, mutation or subscription.
  public var operation: OperationType
  /// The name; `nil` for an anonymous operation.
  public var name: Name?
  /// The variables, in the order written.
  public var variables: [VariableDefinition]
  /// The directives, in the order written.
  public var directives: [Directive]
  /// What is selected on the root type.
  public var selectionSet: SelectionSet
  /// Where the definition stands.
  public var span: Span

  /// An operation.
  public init(
    description: Description? = nil, operation: OperationType, name: Name? = nil,
    variables: [VariableDefinition] = [], directives: [Directive] = [], selectionSet: SelectionSet,
    span: Span = .none
  ) {
    self.description = description
    self.operation = operation
    self.name = name
    self.variables = variables
    self.directives = directives
    self.selectionSet = selectionSet
    self.span = span
  }
}

/// `$name: Type = default @directives`
public struct VariableDefinition: Hashable, Sendable {
  /// The string before the variable.
  public var description: Description?
  /// The name without the `$`; its span is without the `$` too.
  public var name: Name
  /// Where the variable stands, from its `$` on.
  public var variableSpan: Span
  /// The declared type.
  public var type: TypeReference
  /// The value the variable has when none is given.
  public var defaultValue: Value?
  /// The directives, in the order written.
  public var directives: [Directive]
  /// Where the definition stands.
  public var span: Span

  /// A variable's definition.
  public init(
    description: Description? = nil, name: Name, variableSpan: Span = .none, type: TypeReference,
    defaultValue: Value? = nil, directives: [Directive] = [], span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.variableSpan = variableSpan
    self.type = type
    self.defaultValue = defaultValue
    self.directives = directives
    self.span = span
  }
}

/// `fragment name on Type @directives {…}`
public struct FragmentDefinition: Hashable, Sendable {
  /// The string before the fragment.
  public var description: Description?
  /// The fragment's name.
  public var name: Name
  /// The type it applies to.
  public var typeCondition: Name
  /// The directives, in the order written.
  public var directives: [Directive]
  /// What is selected.
  public var selectionSet: SelectionSet
  /// Where the definition stands.
  public var span: Span

  /// A fragment.
  public init(
    description: Description? = nil, name: Name, typeCondition: Name, directives: [Directive] = [],
    selectionSet: SelectionSet, span: Span = .none
  ) {
    self.description = description
    self.name = name
    self.typeCondition = typeCondition
    self.directives = directives
    self.selectionSet = selectionSet
    self.span = span
  }
}

/// `{…}`: what is selected on one object.
public struct SelectionSet: Hashable, Sendable {
  /// The selections, in the order written.
  public var selections: [Selection]
  /// Where the braces stand.
  public var span: Span

  /// A set of selections.
  public init(_ selections: [Selection], span: Span = .none) {
    self.selections = selections
    self.span = span
  }
}

/// One element of a selection set.
public enum Selection: Hashable, Sendable {
  /// A field.
  case field(Field)
  /// `...Name`
  case fragmentSpread(FragmentSpread)
  /// `... on Type {…}`
  case inlineFragment(InlineFragment)

  /// Where the selection stands.
  public var span: Span {
    switch self {
    case .field(let field): field.span
    case .fragmentSpread(let spread): spread.span
    case .inlineFragment(let fragment): fragment.span
    }
  }

  /// The directives on the selection.
  public var directives: [Directive] {
    switch self {
    case .field(let field): field.directives
    case .fragmentSpread(let spread): spread.directives
    case .inlineFragment(let fragment): fragment.directives
    }
  }
}

/// `alias: name(arguments) @directives {…}`
public struct Field: Hashable, Sendable {
  /// The name in the response, where it is not the field's own.
  public var alias: Name?
  /// The field's name.
  public var name: Name
  /// The arguments, in the order written.
  public var arguments: [Argument]
  /// The directives, in the order written.
  public var directives: [Directive]
  /// What is selected on the field's value; `nil` for a leaf.
  public var selectionSet: SelectionSet?
  /// Where the field stands; it starts at the alias, where there is one.
  public var span: Span

  /// A field.
  public init(
    alias: Name? = nil, name: Name, arguments: [Argument] = [], directives: [Directive] = [],
    selectionSet: SelectionSet? = nil, span: Span = .none
  ) {
    self.alias = alias
    self.name = name
    self.arguments = arguments
    self.directives = directives
    self.selectionSet = selectionSet
    self.span = span
  }

  /// The field's key in the response: the alias, or else the name.
  public var responseKey: Symbol { (alias ?? name).symbol }
}

/// `...name @directives`
public struct FragmentSpread: Hashable, Sendable {
  /// The name of the fragment.
  public var name: Name
  /// The directives, in the order written.
  public var directives: [Directive]
  /// From the dots on.
  public var span: Span

  /// A spread of a named fragment.
  public init(name: Name, directives: [Directive] = [], span: Span = .none) {
    self.name = name
    self.directives = directives
    self.span = span
  }
}

/// `... on Type @directives {…}`
public struct InlineFragment: Hashable, Sendable {
  /// The type it applies to; `nil` applies to any.
  public var typeCondition: Name?
  /// The directives, in the order written.
  public var directives: [Directive]
  /// What is selected.
  public var selectionSet: SelectionSet
  /// From the dots on.
  public var span: Span

  /// A fragment written in place.
  public init(
    typeCondition: Name? = nil, directives: [Directive] = [], selectionSet: SelectionSet,
    span: Span = .none
  ) {
    self.typeCondition = typeCondition
    self.directives = directives
    self.selectionSet = selectionSet
    self.span = span
  }
}
