/// A difference between two schemas that concerns an element used by an operation.
struct SchemaChange: Hashable {
  let kind: Kind
  let criticality: Criticality
  /// The changed element, such as `User.name`, `Query.user(id:)` or `@include(if:)`.
  let coordinate: String
  let message: String

  init(
    _ kind: Kind, _ coordinate: String, _ message: String, criticality: Criticality? = nil
  ) {
    self.kind = kind
    self.criticality = criticality ?? kind.criticality
    self.coordinate = coordinate
    self.message = message
  }
}

extension SchemaChange {
  /// The change for an operation that stays valid: a changed type of an argument or input field is
  /// safe if the type accepts the value in the operation's text.
  var acceptingWrittenValue: SchemaChange {
    let safe: Kind
    switch kind {
    case .argumentChangedKind: safe = .argumentChangedKindSafely
    case .fieldChangedKind: safe = .fieldChangedKindSafely
    default: return self
    }
    return SchemaChange(safe, coordinate, message)
  }
}

/// The effect of a change on an operation, the most severe first.
enum Criticality: String, CaseIterable, Comparable {
  /// The server refuses the operation, or the app cannot read the response.
  case breaking
  /// The operation stays valid, but may mean something else or receive values unknown to the app.
  case dangerous
  case safe

  static func < (left: Criticality, right: Criticality) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .breaking: 0
    case .dangerous: 1
    case .safe: 2
    }
  }
}

extension SchemaChange {
  /// The kinds of changes, named as in GraphQL.js and graphql-inspector where these have a name.
  enum Kind: String {
    case typeRemoved = "TYPE_REMOVED"
    case typeChangedKind = "TYPE_CHANGED_KIND"
    case typeRemovedFromUnion = "TYPE_REMOVED_FROM_UNION"
    case valueRemovedFromEnum = "VALUE_REMOVED_FROM_ENUM"
    case requiredInputFieldAdded = "REQUIRED_INPUT_FIELD_ADDED"
    case implementedInterfaceRemoved = "IMPLEMENTED_INTERFACE_REMOVED"
    case fieldRemoved = "FIELD_REMOVED"
    case fieldChangedKind = "FIELD_CHANGED_KIND"
    case requiredArgumentAdded = "REQUIRED_ARG_ADDED"
    case argumentRemoved = "ARG_REMOVED"
    case argumentChangedKind = "ARG_CHANGED_KIND"
    case directiveRemoved = "DIRECTIVE_REMOVED"
    case directiveArgumentRemoved = "DIRECTIVE_ARG_REMOVED"
    case requiredDirectiveArgumentAdded = "REQUIRED_DIRECTIVE_ARG_ADDED"
    case directiveLocationRemoved = "DIRECTIVE_LOCATION_REMOVED"
    case queryTypeChanged = "SCHEMA_QUERY_TYPE_CHANGED"
    case mutationTypeChanged = "SCHEMA_MUTATION_TYPE_CHANGED"
    case subscriptionTypeChanged = "SCHEMA_SUBSCRIPTION_TYPE_CHANGED"
    /// An operation that the new schema makes invalid in any other way.
    case operationInvalid = "OPERATION_INVALID"
    /// A document of the project that does not compile, usually with the new schema.
    case documentInvalid = "DOCUMENT_INVALID"

    case valueAddedToEnum = "VALUE_ADDED_TO_ENUM"
    case typeAddedToUnion = "TYPE_ADDED_TO_UNION"
    case optionalInputFieldAdded = "OPTIONAL_INPUT_FIELD_ADDED"
    case optionalArgumentAdded = "OPTIONAL_ARG_ADDED"
    case implementedInterfaceAdded = "IMPLEMENTED_INTERFACE_ADDED"
    case argumentDefaultChanged = "ARG_DEFAULT_VALUE_CHANGE"
    case inputFieldDefaultChanged = "INPUT_FIELD_DEFAULT_VALUE_CHANGE"

    case fieldChangedKindSafely = "FIELD_CHANGED_KIND_SAFE"
    case argumentChangedKindSafely = "ARG_CHANGED_KIND_SAFE"
    /// A deprecated element that an operation uses, whether or not the deprecation is new.
    case deprecatedElementUsed = "DEPRECATED_ELEMENT_USED"

    /// The usual criticality; an operation may be affected less or more.
    var criticality: Criticality {
      switch self {
      case .valueAddedToEnum, .typeAddedToUnion, .optionalInputFieldAdded, .optionalArgumentAdded,
        .implementedInterfaceAdded, .argumentDefaultChanged, .inputFieldDefaultChanged:
        .dangerous
      case .fieldChangedKindSafely, .argumentChangedKindSafely, .deprecatedElementUsed: .safe
      default: .breaking
      }
    }
  }
}
