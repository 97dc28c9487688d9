/// The selection of one object, decoded from the notation of Docs/PlanNotation.md.
///
/// Only generated code makes plans.
public final class SelectionPlan: Sendable {
  /// The type selected from.
  package let typeName: String
  /// Whether that type is an interface or a union.
  package let isAbstract: Bool
  /// Fields, spreads and type conditions in the order of the text.
  package let slots: [PlanSlot]
  /// The fragment's own variables, with their defaults.
  package let fragmentVariables: [FragmentVariable]
  /// The name of the definition; empty in the plan of a nested object.
  package let owner: String
  /// The definition's `@throwOnFieldError` or `@catch`, if it has one.
  package let handling: DefinitionHandling?
  /// The possible types of the abstract types that its conditions name.
  package let types: AbstractTypes?
  /// The names of the variables used at any depth, sorted.
  package let variables: [String]
  /// The names of the operation's variables that a fragment uses, itself or through the fragments
  /// it spreads.
  package let used: [String]
  /// Whether it selects the discriminator `__isA` of an abstract type `A`.
  package let hasDiscriminators: Bool
  /// The slots of the key fields that identify objects, where that is not `id`.
  let keySlots: [Int]
  /// The slot of `__typename`.
  let typenameSlot: Int?
  /// The slots of each response key.
  package let slotsByKey: [ByteString: [Int]]
  /// The slots of fields with whose response keys an object may have several slots: those that
  /// share it with a slot that is not inside a condition on another concrete type.
  let sharedSlots: Set<Int>
  /// The slots that share a response key or a spread.
  package let slotGroups: SlotGroups
  /// The selections of client-only fields of the same record. The collector follows them; they are
  /// neither fetched nor read.
  let clientPlan: SelectionPlan?
  /// The text of the plan; `nil` for that of a nested object.
  package let notation: PlanNotation?
  /// The elements that it may write and that are never stored; `nil` if there are none.
  package let privacy: PrivateElements?
  /// The time for which the operation's data is fresh, as the configuration of the compiler says.
  package let maxAge: Duration?
  /// Whether variables decide about any selection in it, at any depth.
  let isConditional: Bool
  /// Whether it has deferred parts, at any depth.
  package let hasDeferredParts: Bool
  /// Whether it has a list with `@stream`, at any depth.
  package let hasStreams: Bool
  /// Whether neither the plan nor the fragments it spreads depend on variables.
  let isConstant: Bool
  /// Whether it has a list at any depth, so that the number of its rows depends on the data.
  package let hasLists: Bool

  /// Decodes a plan that consists of nothing but its text.
  ///
  /// - Precondition: The relay-compiler of this version has written the text.
  public convenience init(_ text: StaticString) { self.init(text, types: nil) }

  /// Decodes a plan.
  ///
  /// - Parameters:
  ///   - text: The notation.
  ///   - types: The possible types of the abstract types that its conditions name.
  ///   - leaves: The Swift types of custom scalars and enums, by their names. Values of scalars are
  ///     converted to them; mirrors show values of enums as them.
  ///   - inlined: The plans of other fragments, by name.
  ///   - clientPlan: The selections of client-only fields of the same record.
  /// - Precondition: The relay-compiler of this version has written the text.
  public convenience init(
    _ text: StaticString, types: AbstractTypes? = nil,
    leaves: [String: any GraphQLInput.Type] = [:], inlined: [String: SelectionPlan] = [:],
    clientPlan: SelectionPlan? = nil
  ) {
    let decoded = text.withUTF8Buffer { bytes in
      var decoder = PlanDecoder(
        bytes: Array(bytes), types: types, leaves: leaves, inlined: inlined)
      return decoder.plan()
    }
    guard let decoded else {
      preconditionFailure(
        "A plan is not of this version of RelayStore; run relay-compiler again. SelectionPlan: \(text)"
      )
    }
    self.init(decoded, types: types, clientPlan: clientPlan, notation: .compiled(text))
  }

  /// Creates a decoded plan together with what is not in its text.
  convenience init(
    _ decoded: SelectionPlan, types: AbstractTypes?, clientPlan: SelectionPlan?,
    notation: PlanNotation
  ) {
    self.init(
      typeName: decoded.typeName, isAbstract: decoded.isAbstract, slots: decoded.slots,
      types: types, fragmentVariables: decoded.fragmentVariables, usedBelow: decoded.used,
      owner: decoded.owner, handling: decoded.handling, clientPlan: clientPlan, notation: notation,
      privacy: decoded.privacy, maxAge: decoded.maxAge)
  }

  package init(
    typeName: String, isAbstract: Bool, slots: [PlanSlot], types: AbstractTypes?,
    fragmentVariables: [FragmentVariable] = [], usedBelow: [String] = [], owner: String = "",
    handling: DefinitionHandling? = nil, clientPlan: SelectionPlan? = nil,
    notation: PlanNotation? = nil, privacy: PrivateElements? = nil, maxAge: Duration? = nil
  ) {
    self.notation = notation
    self.privacy = privacy
    self.maxAge = maxAge
    self.typeName = typeName
    self.isAbstract = isAbstract
    self.slots = slots
    self.types = types
    self.fragmentVariables = fragmentVariables
    self.owner = owner
    self.handling = handling
    self.clientPlan = clientPlan
    var used: [String] = []
    for slot in slots { slot.addVariables(to: &used) }
    let byKey = Dictionary(
      grouping: slots.indices.filter { slots[$0].field != nil },
      by: { ByteString(slots[$0].field?.responseKey ?? "") })
    variables = used.sortedWithoutDuplicates
    self.used =
      (variables + usedBelow).filter { name in !fragmentVariables.contains { $0.name == name } }
      .sortedWithoutDuplicates
    hasDiscriminators = slots.contains { $0.field?.isDiscriminator ?? false }
    keySlots = slots.indices.filter { slots[$0].field?.isKey == true }
    typenameSlot = slots.firstIndex { $0.field?.responseKey == "__typename" }
    slotsByKey = byKey
    let repeated = byKey.values.filter { $0.count > 1 }
    sharedSlots = Set(
      repeated.filter { !Self.areExclusive($0.map { slots[$0] }, of: slots) }.joined())
    slotGroups = SlotGroups(slots, byKey: byKey)
    isConditional = slots.contains(where: \.isConditional)
    hasDeferredParts = slots.contains(where: \.hasDeferredParts)
    hasStreams = slots.contains(where: \.hasStreams)
    isConstant =
      variables.isEmpty && slots.allSatisfy(\.hasConstantFragments)
      && clientPlan?.isConstant ?? true
    hasLists = slots.contains(where: \.hasLists)
  }

  /// Whether fields are inside conditions on concrete types that all differ.
  private static func areExclusive(_ fields: [PlanSlot], of slots: [PlanSlot]) -> Bool {
    let types = fields.compactMap { field -> ByteString? in
      guard let enclosing = field.enclosing, case .condition(let type) = slots[enclosing].content,
        !type.isAbstract
      else { return nil }
      return ByteString(type.typeName)
    }
    return Set(types).count == fields.count
  }

  /// Returns the fragment's own variables with their values in `variables`, or their defaults.
  package func arguments(from variables: JSONObject) -> JSONObject {
    var arguments: JSONObject = [:]
    for variable in fragmentVariables {
      arguments[variable.name] = variables[variable.name] ?? variable.defaultValue
    }
    return arguments
  }

  /// The plan of the object in a slot, or of the objects in its list.
  ///
  /// - Precondition: The slot is that of a linked field. The index comes from
  ///   generated code, never from a response or a document.
  public subscript(slot: Int) -> SelectionPlan {
    guard slots.indices.contains(slot), case .field(let field) = slots[slot].content,
      let child = field.child
    else { preconditionFailure("Slot \(slot) of a plan on \(typeName) has no object.") }
    return child
  }
}

extension [String] {
  /// The strings in the order of their bytes, each once.
  fileprivate var sortedWithoutDuplicates: [String] {
    count < 2 ? self : Set(self).sorted { $0.precedesByBytes($1) }
  }
}

/// A variable declared by a fragment.
package struct FragmentVariable: Sendable {
  package var name: String
  package var defaultValue: JSONValue?
}

/// One slot of a row: a field, a spread or a type condition.
package struct PlanSlot: Sendable {
  package enum Content: Sendable {
    case field(PlanField)
    case spread(PlanSpread)
    case condition(TypeCondition)
  }

  package var content: Content
  /// The slot of the innermost type condition around it, if there is one.
  package var enclosing: Int?
  /// The guards that include it, below the enclosing type condition. Each guard passes when at
  /// least one of its terms holds; the slot is included when all guards pass.
  package var guards: [[GuardTerm]]

  /// Adds the variables that it and the selections below it use.
  fileprivate func addVariables(to used: inout [String]) {
    for case .variable(let name, _) in guards.joined() { used.append(name) }
    switch content {
    case .field(let field):
      for argument in field.arguments { used += argument.value.variables }
      for handle in field.handles {
        for argument in handle.arguments { used += argument.value.variables }
      }
      if let child = field.child { used += child.variables }
      if let derived = field.derived { used += derived.variables }
    case .spread(let spread):
      for argument in spread.arguments { used += argument.value.variables }
    case .condition: break
    }
  }

  /// Whether variables decide about it: a deferred part is included, even before it has arrived.
  var isGuarded: Bool {
    guards.contains { terms in !terms.contains { $0.deferredPart != nil } }
  }

  /// Whether variables decide about it or any selection below it.
  var isConditional: Bool { isGuarded || field?.child?.isConditional ?? false }

  /// The parts of which the slot may be one: of all guards, and of all alternatives of a guard.
  package var deferredParts: [DeferredPart] { guards.joined().compactMap(\.deferredPart) }

  /// Whether it or a selection below it may arrive with a part.
  fileprivate var hasDeferredParts: Bool {
    guards.joined().contains { $0.deferredPart != nil } || hasPlan(where: \.hasDeferredParts)
  }

  /// Whether it is a list with `@stream`, or has one below it.
  fileprivate var hasStreams: Bool { field?.streamLabel != nil || hasPlan(where: \.hasStreams) }

  /// Whether the selections below it satisfy a predicate.
  private func hasPlan(where predicate: (SelectionPlan) -> Bool) -> Bool {
    switch content {
    case .field(let field): (field.child ?? field.derived).map(predicate) ?? false
    case .spread(let spread): spread.inlined.map(predicate) ?? false
    case .condition: false
    }
  }

  /// Whether its value is a list or has one at any depth.
  fileprivate var hasLists: Bool {
    switch content {
    case .field(let field):
      field.type.listDepth > 0 || field.child?.hasLists ?? false || field.derived?.hasLists ?? false
    case .spread(let spread): spread.inlined?.hasLists ?? false
    case .condition: false
    }
  }

  /// Whether the fragments that it spreads depend on no variables, and no function derives its
  /// value. It may use variables itself.
  fileprivate var hasConstantFragments: Bool {
    switch content {
    case .field(let field): field.derived == nil && field.child?.isConstant ?? true
    case .spread(let spread): spread.inlined == nil && spread.variables.isEmpty
    case .condition: true
    }
  }

  /// Whether its selections are of the record itself, not of a linked one.
  package var isOfSameRecord: Bool { field?.derived != nil || field == nil }

  /// The field, if this is a field's slot.
  package var field: PlanField? {
    if case .field(let field) = content { field } else { nil }
  }
}

/// A field of a selection.
package final class PlanField: Sendable {
  package let responseKey: String
  package let name: String
  /// The arguments, sorted by name.
  package let arguments: [PlanArgument]
  package let type: PlanType
  /// The selection of the object, or of the list's objects; `nil` for a scalar.
  package let child: SelectionPlan?
  /// The Swift type that values of a custom scalar are converted to, if there is one.
  package let scalar: (any JSONConvertible.Type)?
  /// The Swift type that values of an enum are shown as, if it is known.
  package let enumeration: (any GraphQLInput.Type)?
  /// The action of `@required` when the field is null.
  package let required: RequiredAction?
  /// The target of `@catch`, if the field has that directive.
  package let catches: CatchTarget?
  /// The handles that run after the response is written.
  package let handles: [PlanHandle]
  /// The label of a list whose items may arrive one by one: that of `@stream`.
  package let streamLabel: String?
  /// The fragment of the same record that a derived field is computed from.
  package let derived: SelectionPlan?
  /// Whether the field is `__typename`, under any response key.
  package let isTypename: Bool
  /// Whether this is the discriminator `__isA: __typename` of an abstract type `A`.
  package let isDiscriminator: Bool
  /// Whether the field is an `id` that identifies its object: of type `ID`, or of a scalar that the
  /// configuration names.
  package let isID: Bool
  /// Whether the field is one of the key fields that identify objects in place of `id`.
  package let isKey: Bool
  /// Whether the field is a client-only field or is selected below one; no server is asked for it.
  package let isClient: Bool
  /// Whether the field is `__id`, the record's id, which only the client has.
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
  /// An argument whose whole value is an absent variable is omitted. The others, nulls included,
  /// are sorted by name.
  package func storageKey(_ variables: JSONObject) -> String {
    if arguments.isEmpty { return name }
    let values = arguments.compactMap { argument in
      argument.value.json(variables).map { (argument.name, $0) }
    }
    return StorageKey.text(name: name, sortedArguments: values)
  }
}

/// An argument and its value, which may contain variables.
package struct PlanArgument: Sendable, Equatable {
  package var name: String
  package var value: PlanValue
}

/// An action on a field after the response is written: `%name(arguments)`.
package struct PlanHandle: Sendable, Equatable {
  package var name: String
  package var arguments: [PlanArgument]

  /// The value of the argument `label`, if it has one.
  fileprivate var label: String? {
    guard case .constant(let value)? = arguments.first(where: { $0.name == "label" })?.value else {
      return nil
    }
    return value.string
  }
}

/// A fragment spread in a selection.
package struct PlanSpread: Sendable {
  package var name: String
  /// The name that `@alias` gives it.
  package var alias: String?
  package var arguments: [PlanArgument]
  /// The operation's variables that the fragment uses, itself or through the fragments it spreads.
  package var variables: [String] = []
  /// The plan of an `@inline` fragment, which is read together with the row around it.
  package var inlined: SelectionPlan?

  /// Returns the variables that the fragment sees: those of the operation that it uses, and its
  /// arguments.
  package func scope(in scope: VariableScope, _ variables: JSONObject) -> VariableScope {
    var values: JSONObject = [:]
    for argument in arguments { values[argument.name] = argument.value.json(variables) }
    return VariableScope(operation: scope.operation.only(self.variables), arguments: values)
  }
}

/// `... on Type`.
package struct TypeCondition: Sendable {
  package var typeName: String
  package var isAbstract: Bool
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
  /// Whether null is allowed at each level, outermost first; one element more than the list is
  /// deep.
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
