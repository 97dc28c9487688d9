/// The selection of one object, decoded from the notation of Docs/Reference/PlanNotation.md.
///
/// Only generated code makes plans.
public final class SelectionPlan: Sendable {
  /// The type selected from.
  package let typeName: String
  /// Whether the type is an interface or a union.
  package let isAbstract: Bool
  /// Fields, spreads and type conditions, in the order of the notation.
  package let slots: [PlanSlot]
  /// The fragment's own variables, with their defaults.
  package let fragmentVariables: [FragmentVariable]
  /// The name of the definition; empty in the plan of a nested object.
  package let owner: String
  /// The definition's `@throwOnFieldError` or `@catch`; `nil` without either.
  package let handling: DefinitionHandling?
  /// The possible types of the abstract types that the plan's conditions name.
  package let types: AbstractTypes?
  /// The names of the variables used at any depth, sorted.
  package let variables: [String]
  /// The names of the operation variables that a fragment uses, directly or through the fragments
  /// it spreads.
  package let used: [String]
  /// Whether the plan selects the discriminator `__isA` of an abstract type `A`.
  let hasDiscriminators: Bool
  /// The slots of the key fields that identify objects instead of `id`.
  let keySlots: [Int]
  /// The slot of `__typename`.
  let typenameSlot: Int?
  /// The slots of each response key.
  let slotsByKey: [ByteString: [Int]]
  /// The fields whose response key may have several slots in one object. Slots that share a key are
  /// omitted if they are all inside conditions on different concrete types.
  let sharedSlots: Set<Int>
  /// The slots that share a response key or a spread.
  let slotGroups: SlotGroups
  /// The selections of client-only fields of the same record. The collector follows them; they are
  /// neither fetched nor read.
  let clientPlan: SelectionPlan?
  /// The plan's notation; `nil` for a nested object's plan.
  let notation: PlanNotation?
  /// The elements that the plan may write and that are never persisted; `nil` if there are none.
  package let privacy: PrivateElements?
  /// How long the operation's data is fresh, from the compiler's configuration.
  package let maxAge: Duration?
  /// Whether variables decide if any selection, at any depth, is included.
  let isConditional: Bool
  /// Whether the plan has deferred parts, at any depth.
  let hasDeferredParts: Bool
  /// Whether the plan has a list with `@stream`, at any depth.
  let hasStreams: Bool
  /// Whether neither the plan nor the fragments it spreads depend on variables.
  let isConstant: Bool
  /// Whether the plan has a list at any depth, so that the number of its rows depends on the data.
  package let hasLists: Bool

  /// Decodes a plan from its notation alone.
  ///
  /// - Precondition: The notation was written by this version's relay-compiler.
  public convenience init(_ text: StaticString) { self.init(text, types: nil) }

  /// Decodes a plan.
  ///
  /// - Parameters:
  ///   - text: The notation.
  ///   - types: The possible types of the abstract types that its conditions name.
  ///   - leaves: The Swift types of custom scalars and enums, by name. Scalar values are converted
  ///     to these types; mirrors show enum values in them.
  ///   - inlined: The plans of other fragments, by name.
  ///   - clientPlan: The selections of client-only fields of the same record.
  /// - Precondition: The notation was written by this version's relay-compiler.
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
        "A plan comes from another version of RelayStore; run relay-compiler again. SelectionPlan: "
          + "\(text)"
      )
    }
    self.init(decoded, clientPlan: clientPlan, notation: .compiled(text))
  }

  /// The contents of a plan's notation.
  package struct Definition: Sendable {
    package var typeName: String
    package var isAbstract: Bool
    package var slots: [PlanSlot]
    package var types: AbstractTypes?
    package var fragmentVariables: [FragmentVariable] = []
    /// The operation variables that a fragment uses, directly or through the fragments it spreads.
    package var used: [String] = []
    package var owner = ""
    package var handling: DefinitionHandling?
    package var privacy: PrivateElements?
    package var maxAge: Duration?
  }

  package init(
    _ definition: Definition, clientPlan: SelectionPlan? = nil, notation: PlanNotation? = nil
  ) {
    let slots = definition.slots
    self.notation = notation
    privacy = definition.privacy
    maxAge = definition.maxAge
    typeName = definition.typeName
    isAbstract = definition.isAbstract
    self.slots = slots
    types = definition.types
    fragmentVariables = definition.fragmentVariables
    owner = definition.owner
    handling = definition.handling
    self.clientPlan = clientPlan
    var used: [String] = []
    for slot in slots { slot.addVariables(to: &used) }
    let byKey = Dictionary(
      grouping: slots.indices.filter { slots[$0].field != nil },
      by: { ByteString(slots[$0].field?.responseKey ?? "") })
    variables = used.sortedWithoutDuplicates
    self.used =
      (variables + definition.used).filter { name in
        !definition.fragmentVariables.contains { $0.name == name }
      }
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

  /// Whether the fields are inside conditions on concrete types that all differ.
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
  /// - Precondition: The slot is a linked field. The index comes from generated code, never from a
  ///   response or a document.
  public subscript(slot: Int) -> SelectionPlan {
    guard slots.indices.contains(slot), case .field(let field) = slots[slot].content,
      let child = field.child
    else { preconditionFailure("Slot \(slot) of a plan on \(typeName) has no object.") }
    return child
  }
}

extension [String] {
  /// The strings in byte order, without duplicates.
  fileprivate var sortedWithoutDuplicates: [String] {
    count < 2 ? self : Set(self).sorted(byBytes: \.self)
  }
}
