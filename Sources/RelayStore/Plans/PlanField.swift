/// A field of a selection.
package final class PlanField: Sendable {
  package let responseKey: String
  package let name: String
  /// The arguments, sorted by name.
  package let arguments: [PlanArgument]
  package let type: PlanType
  /// The selection of the object, or of the list's objects; `nil` for a scalar.
  package let child: SelectionPlan?
  /// The Swift type that values of a custom scalar are converted to; `nil` without one.
  package let scalar: (any JSONConvertible.Type)?
  /// The Swift type of the enum, for display; `nil` if it is not known.
  let enumeration: (any GraphQLInput.Type)?
  /// The action of `@required` when the field is null.
  package let required: RequiredAction?
  /// The target of `@catch`; `nil` without the directive.
  package let catches: CatchTarget?
  /// The handles that run after the response is written.
  package let handles: [PlanHandle]
  /// The `@stream` label of a list whose items may arrive one by one.
  let streamLabel: String?
  /// The fragment, on the same record, that a derived field is computed from.
  package let derived: SelectionPlan?
  /// Whether the field is `__typename`, under any response key.
  let isTypename: Bool
  /// Whether this is the discriminator `__isA: __typename` of an abstract type `A`.
  package let isDiscriminator: Bool
  /// Whether the field is an `id` that identifies its object: of type `ID`, or of a scalar named in
  /// the configuration.
  package let isID: Bool
  /// Whether the field is one of the key fields that identify objects instead of `id`.
  package let isKey: Bool
  /// Whether the field is a client-only field or is selected below one. Such fields are never
  /// requested from a server.
  package let isClient: Bool
  /// Whether the field is `__id`, the record's id. Only the client has it.
  package let isRecordID: Bool

  package init(
    responseKey: String, name: String, arguments: [PlanArgument], type: PlanType,
    child: SelectionPlan?,
    scalar: (any JSONConvertible.Type)?, enumeration: (any GraphQLInput.Type)? = nil,
    required: RequiredAction? = nil,
    catches: CatchTarget? = nil, handles: [PlanHandle] = [], isKey: Bool = false,
    isIDScalar: Bool = false, isClient: Bool = false, derived: SelectionPlan? = nil
  ) {
    self.responseKey = responseKey
    self.name = name
    self.arguments = arguments
    self.type = type
    self.child = child
    self.scalar = scalar
    self.enumeration = enumeration
    self.required = required
    self.catches = catches
    self.handles = handles
    streamLabel = handles.first { $0.name == "stream" }?.label
    self.isKey = isKey
    self.isClient = isClient
    self.derived = derived
    isTypename = name == "__typename"
    isDiscriminator = isTypename && responseKey.utf8.starts(with: "__is".utf8)
    isRecordID = name == "__id"
    isID =
      name == "id" && arguments.isEmpty && child == nil && type.listDepth == 0
      && (type.namedType == .id || isIDScalar)
  }

  /// Returns the storage key for these variables.
  ///
  /// An argument whose entire value is an absent variable is omitted. All others, nulls included,
  /// are sorted by name.
  package func storageKey(_ variables: JSONObject) -> String {
    if arguments.isEmpty { return name }
    let values = arguments.compactMap { argument in
      argument.value.json(variables).map { (argument.name, $0) }
    }
    return StorageKey.text(name: name, sortedArguments: values)
  }
}

/// The type of a field: its named type, and the nullability at each list level.
package struct PlanType: Sendable {
  /// The innermost type, inside all lists.
  package enum NamedType: Sendable, Equatable {
    case id, string, int, float, boolean
    case enumeration(String)
    case custom(String)
    case object
  }

  package var namedType: NamedType
  /// Whether null is allowed at each level, outermost first. Has one element more than the list
  /// depth.
  package var isNullable: [Bool]

  package var listDepth: Int { isNullable.count - 1 }

  /// The name of the named type, for messages.
  package func name(child: SelectionPlan?) -> String {
    switch namedType {
    case .id: "ID"
    case .string: "String"
    case .int: "Int"
    case .float: "Float"
    case .boolean: "Boolean"
    case .enumeration(let name), .custom(let name): name
    case .object: child?.typeName ?? "an object"
    }
  }
}
