/// The properties that operations and fragments share.
extension Definition {
  /// The name of an operation or fragment.
  package var executableName: Name? {
    switch self {
    case .operation(let operation): operation.name
    case .fragment(let fragment): fragment.name
    case .schema, .type, .directive: nil
    }
  }

  /// The directives of an operation or fragment; empty for other definitions.
  package var executableDirectives: [Directive] {
    switch self {
    case .operation(let operation): operation.directives
    case .fragment(let fragment): fragment.directives
    case .schema, .type, .directive: []
    }
  }

  /// The selection set of an operation or fragment.
  package var selectionSet: SelectionSet? {
    switch self {
    case .operation(let operation): operation.selectionSet
    case .fragment(let fragment): fragment.selectionSet
    case .schema, .type, .directive: nil
    }
  }
}
