/// What a selection of one object is made of, decoded from the notation of Docs/PlanNotation.md.
///
/// Generated code makes plans; programs do not.
public final class SelectionPlan: Sendable {
  /// The type selected from.
  package let typeName: String
  /// Whether that is an interface or a union.
  package let isAbstract: Bool
  /// Fields, spreads and type conditions in the order of the text.
  package let slots: [PlanSlot]
  /// The variables that are the fragment's own.
  package let fragmentVariables: [FragmentVariable]
  /// The definition's name; empty for what stands inside one.
  package let owner: String
  /// What the definition does when its fields fail.
  package let handling: DefinitionHandling?
  /// Which concrete types satisfy the abstract types of its conditions.
  package let types: AbstractTypes?
  /// The variables used anywhere in it, sorted.
  package let variables: [String]
  /// The operation's variables that a fragment uses, itself or through those it spreads.
  package let used: [String]
  /// Whether it asks for `__isA` of an abstract type `A`.
  package let hasDiscriminators: Bool
  /// The slots of the fields that make the identity of objects, where that is not their `id`.
  let keySlots: [Int]
  /// The slot of `__typename`.
  let typenameSlot: Int?
  /// The slots of each response key.
  package let slotsByKey: [ByteString: [Int]]
  /// The bytes of each field's response key, by slot; `nil` where other slots share the key.
  package let uniqueKeys: [[UInt8]?]
  /// The slots that stand for the same as others.
  package let slotGroups: SlotGroups
  /// What leads to objects that only the client knows, of the same record: it is kept, and neither asked for nor read.
  let clientPlan: SelectionPlan?
  /// Whether anything in it, at any depth, is there or not depending on variables.
  let isConditional: Bool
  /// Whether variables make no difference to it, nor to what it spreads.
  let isConstant: Bool
  /// Whether it has a list, at any depth: then the size of its rows depends on the data.
  package let hasLists: Bool

  /// Decodes a plan that needs no more than its text.
  ///
  /// - Precondition: The text was written by the relay-compiler of this version.
  public convenience init(_ text: StaticString) { self.init(text, types: nil) }

  /// Decodes a plan.
  ///
  /// - Precondition: The text was written by the relay-compiler of this version.
  public convenience init(
    _ text: StaticString, types: AbstractTypes? = nil,
    scalars: [String: any JSONConvertible.Type] = [:], inlined: [String: SelectionPlan] = [:],
    clientPlan: SelectionPlan? = nil
  ) {
    let decoded = text.withUTF8Buffer { bytes in
      var decoder = PlanDecoder(
        bytes: Array(bytes), types: types, scalars: scalars, inlined: inlined)
      return decoder.plan()
    }
    guard let decoded else {
      preconditionFailure(
        "A plan is not of this version of RelayStore; run relay-compiler again. SelectionPlan: \(text)"
      )
    }
    self.init(
      typeName: decoded.typeName, isAbstract: decoded.isAbstract, slots: decoded.slots,
      types: types, fragmentVariables: decoded.fragmentVariables, usedBelow: decoded.used,
      owner: decoded.owner,
      handling: decoded.handling, clientPlan: clientPlan)
  }

  package init(
    typeName: String, isAbstract: Bool, slots: [PlanSlot], types: AbstractTypes?,
    fragmentVariables: [FragmentVariable] = [], usedBelow: [String] = [], owner: String = "",
    handling: DefinitionHandling? = nil, clientPlan: SelectionPlan? = nil
  ) {
    self.typeName = typeName
    self.isAbstract = isAbstract
    self.slots = slots
    self.types = types
    self.fragmentVariables = fragmentVariables
    self.owner = owner
    self.handling = handling
    self.clientPlan = clientPlan
    variables = Set(slots.flatMap(\.variables)).sorted { $0.precedesByBytes($1) }
    used = Set(variables + usedBelow).subtracting(fragmentVariables.map(\.name))
      .sorted { $0.precedesByBytes($1) }
    hasDiscriminators = slots.contains { $0.field?.isDiscriminator ?? false }
    keySlots = slots.indices.filter { slots[$0].field?.isKey ?? false }
    typenameSlot = slots.firstIndex { $0.field?.responseKey == "__typename" }
    var byKey: [ByteString: [Int]] = [:]
    for (slot, content) in slots.enumerated() {
      if let field = content.field {
        byKey[ByteString(field.responseKey), default: []].append(slot)
      }
    }
    slotsByKey = byKey
    uniqueKeys = slots.map { slot in
      slot.field.flatMap { field in
        byKey[ByteString(field.responseKey)]?.count == 1 ? Array(field.responseKey.utf8) : nil
      }
    }
    slotGroups = SlotGroups(slots, byKey: byKey)
    isConditional = slots.contains(where: \.isConditional)
    isConstant = slots.allSatisfy(\.isConstant) && clientPlan?.isConstant ?? true
    hasLists = slots.contains(where: \.hasLists)
  }

  /// The values of the fragment's own variables among `variables`, else their defaults.
  package func arguments(from variables: JSONObject) -> JSONObject {
    var arguments: JSONObject = [:]
    for variable in fragmentVariables {
      arguments[variable.name] = variables[variable.name] ?? variable.defaultValue
    }
    return arguments
  }

  /// The plan of the object in a slot, or of the objects in its list.
  ///
  /// - Precondition: The slot is that of a linked field.
  public subscript(slot: Int) -> SelectionPlan {
    guard slots.indices.contains(slot), case .field(let field) = slots[slot].content,
      let child = field.child
    else { preconditionFailure("RowSlot \(slot) of a plan on \(typeName) has no object.") }
    return child
  }
}

/// A variable of one fragment.
package struct FragmentVariable: Sendable {
  package var name: String
  package var defaultValue: JSONValue?
}

/// One place in a row: a field, a spread or a type condition.
package struct PlanSlot: Sendable {
  package enum Content: Sendable {
    case field(PlanField)
    case spread(PlanSpread)
    case condition(TypeCondition)
  }

  package var content: Content
  /// The slot of the type condition this stands in, if it stands in one.
  package var enclosing: Int?
  /// The guards that decide whether it is there, inside the enclosing type condition: of each at
  /// least one variable must have the value it needs.
  package var guards: [[VariableCondition]]

  /// The variables it uses, those of the selections below included.
  var variables: [String] {
    let used: [String] =
      switch content {
      case .field(let field):
        field.arguments.flatMap(\.value.variables) + (field.child?.variables ?? [])
          + field.handles.flatMap(\.arguments).flatMap(\.value.variables)
          + (field.derived?.variables ?? [])
      case .spread(let spread): spread.arguments.flatMap(\.value.variables)
      case .condition: []
      }
    return used + guards.joined().filter { !$0.isDeferred }.map(\.variable)
  }

  /// Whether it, or anything in it, is there or not depending on variables.
  var isConditional: Bool { !guards.isEmpty || field?.child?.isConditional ?? false }

  /// Whether it is a list, or has one at any depth.
  fileprivate var hasLists: Bool {
    switch content {
    case .field(let field):
      field.type.listDepth > 0 || field.child?.hasLists ?? false || field.derived?.hasLists ?? false
    case .spread(let spread): spread.inlined?.hasLists ?? false
    case .condition: false
    }
  }

  /// Whether variables make no difference to it, nor to what it spreads.
  var isConstant: Bool {
    guard guards.allSatisfy({ $0.contains(where: \.isDeferred) }) else { return false }
    switch content {
    case .field(let field):
      return field.derived == nil && variables.isEmpty && field.child?.isConstant ?? true
    case .spread(let spread):
      return spread.inlined == nil && variables.isEmpty && spread.variables.isEmpty
    case .condition: return true
    }
  }

  /// Whether it may come later than the object it is of.
  var isDeferred: Bool { guards.contains { $0.contains(where: \.isDeferred) } }

  /// Whether its selections are of the same record, not of one it links to.
  package var isOfSameRecord: Bool { field?.derived != nil || field == nil }

  /// The field, where this is one.
  package var field: PlanField? {
    if case .field(let field) = content { field } else { nil }
  }
}

/// A field of a selection.
package final class PlanField: Sendable {
  package let responseKey: String
  package let name: String
  /// Sorted by name.
  package let arguments: [PlanArgument]
  package let type: PlanType
  /// The selection of the object, or of the list's objects; `nil` for a scalar.
  package let child: SelectionPlan?
  /// The Swift type of a custom scalar that has one of its own.
  package let scalar: (any JSONConvertible.Type)?
  /// What to do when it is null.
  package let required: RequiredAction?
  /// What it is when anything in it failed.
  package let catches: CatchTarget?
  /// What is to be done with the field once it is written.
  package let handles: [PlanHandle]
  /// The fragment of the same record that it is computed from.
  package let derived: SelectionPlan?
  /// Whether this tells the object's concrete type.
  package let isTypename: Bool
  /// Whether this is the discriminator `__isA: __typename` of an abstract type `A`.
  package let isDiscriminator: Bool
  /// Whether this is the field that makes an object's identity.
  package let isID: Bool
  /// Whether this is part of what makes the identity of objects that have no `id`, or another one.
  package let isKey: Bool
  /// Whether no server is asked for it: a field of a schema extension, or below one.
  package let isClient: Bool
  /// Whether this is the record's own identity, which no server knows.
  package let isRecordID: Bool

  package init(
    responseKey: String, name: String, arguments: [PlanArgument], type: PlanType,
    child: SelectionPlan?,
    scalar: (any JSONConvertible.Type)?, required: RequiredAction? = nil,
    catches: CatchTarget? = nil, handles: [PlanHandle] = [], isKey: Bool = false,
    isClient: Bool = false, derived: SelectionPlan? = nil
  ) {
    self.responseKey = responseKey
    self.name = name
    self.arguments = arguments
    self.type = type
    self.child = child
    self.scalar = scalar
    self.required = required
    self.catches = catches
    self.handles = handles
    self.isKey = isKey
    self.isClient = isClient
    self.derived = derived
    isTypename = name == "__typename"
    isDiscriminator = isTypename && responseKey.utf8.starts(with: "__is".utf8)
    isRecordID = name == "__id"
    isID = name == "id" && arguments.isEmpty && child == nil
  }

  /// The storage key for these variables.
  ///
  /// Arguments whose whole value is an absent variable are left out; the others, nulls among them, stand sorted by
  /// name.
  package func storageKey(_ variables: JSONObject) -> String {
    if arguments.isEmpty { return name }
    let values = arguments.compactMap { argument in
      argument.value.json(variables).map { (argument.name, $0) }
    }
    return StorageKey.text(name: name, sortedArguments: values)
  }
}

/// An argument with its value or the variable that has it.
package struct PlanArgument: Sendable, Equatable {
  package var name: String
  package var value: PlanValue
}

/// Something to be done with a field once it is written: `%name(arguments)`.
package struct PlanHandle: Sendable, Equatable {
  package var name: String
  package var arguments: [PlanArgument]
}

/// A masked fragment in a selection.
package struct PlanSpread: Sendable {
  package var name: String
  /// What `@alias` calls it.
  package var alias: String?
  package var arguments: [PlanArgument]
  /// The operation's variables that the fragment uses, itself or through those it spreads.
  package var variables: [String] = []
  /// The plan of an `@inline` fragment, which is read with the row around it.
  package var inlined: SelectionPlan?

  /// What the fragment sees.
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

/// `@include(if: $variable)` or `@skip(if: $variable)`.
package struct VariableCondition: Sendable {
  package var variable: String
  /// What the variable must be for the selection to be there.
  package var passes: Bool
  /// Whether this is no variable but the label of a part that comes later: `@defer`.
  package var isDeferred = false
}

/// The type of a field: what its innermost value is, and what may be null around it.
package struct PlanType: Sendable {
  package enum Leaf: Sendable, Equatable {
    case id, string, int, float, boolean
    case enumeration(String)
    case custom(String)
    case object
  }

  package var leaf: Leaf
  /// Whether null is allowed, outermost first: one more than the list is deep.
  package var isNullable: [Bool]

  package var listDepth: Int { isNullable.count - 1 }

  /// The type's name for messages, without lists.
  package func name(child: SelectionPlan?) -> String {
    switch leaf {
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
