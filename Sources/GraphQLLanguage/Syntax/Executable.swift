/// The type of an operation.
public enum OperationType: String, CaseIterable, Hashable, Sendable {
  /// `query`
  case query
  /// `mutation`
  case mutation
  /// `subscription`
  case subscription
}

/// The definition of an operation: a query, mutation or subscription.
public struct OperationDefinition: Hashable, Sendable {
  /// The description before the operation.
  public var description: Description?
  /// The operation type.
  public var operation: OperationType
  /// The name; `nil` for an anonymous operation.
  public var name: Name?
  /// The variable definitions, in source order.
  public var variables: [VariableDefinition]
  /// The directives, in source order.
  public var directives: [Directive]
  /// The selection set on the root type.
  public var selectionSet: SelectionSet
  /// The source range of the definition.
  public var span: Span

  /// Creates an operation definition.
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

/// The definition of a variable: `$name: Type = default @directives`.
public struct VariableDefinition: Hashable, Sendable {
  /// The description before the variable.
  public var description: Description?
  /// The name without the `$`, which its span also excludes.
  public var name: Name
  /// The source range of the variable, starting at its `$`.
  public var variableSpan: Span
  /// The declared type.
  public var type: TypeReference
  /// The default value, used if the request has no value for the variable.
  public var defaultValue: Value?
  /// The directives, in source order.
  public var directives: [Directive]
  /// The source range of the definition.
  public var span: Span

  /// Creates a variable definition.
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

/// The definition of a fragment: `fragment name on Type @directives {…}`.
public struct FragmentDefinition: Hashable, Sendable {
  /// The description before the fragment.
  public var description: Description?
  /// The fragment's name.
  public var name: Name
  /// The type condition: the name of a type.
  public var typeCondition: Name
  /// The directives, in source order.
  public var directives: [Directive]
  /// The selection set.
  public var selectionSet: SelectionSet
  /// The source range of the definition.
  public var span: Span

  /// Creates a fragment definition.
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

/// The selection set of an object: `{…}`.
public struct SelectionSet: Hashable, Sendable {
  /// The selections, in source order.
  public var selections: [Selection]
  /// The source range, including the braces.
  public var span: Span

  /// Creates a selection set.
  public init(_ selections: [Selection], span: Span = .none) {
    self.selections = selections
    self.span = span
  }
}

/// An element of a selection set.
public indirect enum Selection: Hashable, Sendable {
  /// A field.
  case field(Field)
  /// `...Name`
  case fragmentSpread(FragmentSpread)
  /// `... on Type {…}`
  case inlineFragment(InlineFragment)

  /// The source range of the selection.
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

  /// The selections inside a field or an inline fragment.
  package var selectionSet: SelectionSet? {
    switch self {
    case .field(let field): field.selectionSet
    case .fragmentSpread: nil
    case .inlineFragment(let fragment): fragment.selectionSet
    }
  }
}

/// A field selection: `alias: name(arguments) @directives {…}`.
public struct Field: Hashable, Sendable {
  /// The alias: a response key that replaces the field's name.
  public var alias: Name?
  /// The field's name.
  public var name: Name
  /// The arguments, in source order.
  public var arguments: [Argument]
  /// The directives, in source order.
  public var directives: [Directive]
  /// The selection set on the field's value; `nil` for a leaf field.
  public var selectionSet: SelectionSet?
  /// The source range of the field, starting at its alias if there is one.
  public var span: Span
  /// The source range of the alias and the name, where errors about the field as a unit are
  /// reported.
  package var nameSpan: Span {
    Span(start: span.start, end: max(span.start, name.span.end), source: span.source)
  }

  /// Creates a field.
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

  /// The response key: the alias if there is one, otherwise the name.
  public var responseKey: Symbol { (alias ?? name).symbol }
}

/// A fragment spread: `...name @directives`.
public struct FragmentSpread: Hashable, Sendable {
  /// The name of the fragment.
  public var name: Name
  /// The directives, in source order.
  public var directives: [Directive]
  /// The source range, starting at the `...`.
  public var span: Span

  /// Creates a spread of a fragment definition.
  public init(name: Name, directives: [Directive] = [], span: Span = .none) {
    self.name = name
    self.directives = directives
    self.span = span
  }
}

/// An inline fragment: `... on Type @directives {…}`.
public struct InlineFragment: Hashable, Sendable {
  /// The type condition, or `nil` if there is none.
  public var typeCondition: Name?
  /// The directives, in source order.
  public var directives: [Directive]
  /// The selection set.
  public var selectionSet: SelectionSet
  /// The source range, starting at the `...`.
  public var span: Span

  /// Creates an inline fragment.
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
