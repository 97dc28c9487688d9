/// A plan bound to one store and one set of variables, with all storage keys interned.
package final class BoundPlan: Sendable {
  package let plan: SelectionPlan
  /// The storage key of each field, by slot.
  package let storageKeys: [String]
  /// The interned storage keys, by slot; meaningful only for fields and type conditions.
  package let keys: [FieldKey]
  /// The key of the plan type's discriminator; `nil` if the type is concrete.
  package let discriminator: FieldKey?
  /// The keys with arguments whose fields the collector drops when no selection reaches them,
  /// sorted.
  let argumentKeys: [FieldKey]
  /// Whether the guards include each slot, regardless of enclosing type conditions.
  package let isIncluded: [Bool]
  /// The slots that may arrive later than the object.
  let deferrals: SlotDeferrals
  /// The bound selection of each linked field and `@inline` fragment, by slot.
  package let children: [BoundPlan?]
  /// The bound selections of client-only fields of the same record.
  package let clientPlan: BoundPlan?
  /// The handles of the plan's fields, each with the field's slot.
  package let handles: [(slot: Int, handle: FieldHandle)]
  /// The variables that the plan was bound to; its spreads derive their variables from them.
  package let scope: VariableScope
  /// The variable values that the plan's own selections see.
  package let variables: JSONObject
  /// The variables that rows resolve their spreads with.
  package let binding: RowBinding

  /// The structures derived from the plan on first use.
  private struct Derived {
    var program: ResponseProgram?
    var fullLayout: RowLayout?
    /// The layouts by shape; `nil` for a shape whose rows hold all their values. Each entry retains
    /// its shape, so that the identity is not reused.
    var layouts: [ObjectIdentifier: (shape: RecordShape, layout: RowLayout?)] = [:]
  }

  private let derived = Locked(Derived(), rank: .boundPlan)

  /// The program for parsing responses; built on first use.
  package var program: ResponseProgram {
    derived.withLock { derived in
      let program = derived.program ?? ResponseProgram(self)
      derived.program = program
      return program
    }
  }

  /// The layout of rows that hold all their values themselves; built on first use.
  var fullLayout: RowLayout {
    derived.withLock { derived in
      let layout = derived.fullLayout ?? RowLayout(plan, binding: binding)
      derived.fullLayout = layout
      return layout
    }
  }

  /// Binds a plan.
  ///
  /// - Parameters:
  ///   - names: The store's table of storage keys.
  ///   - constants: The bound plans that do not depend on variables.
  init(
    _ plan: SelectionPlan, scope: VariableScope, variables: JSONObject, names: KeyTable,
    constants: inout ConstantPlans
  ) {
    self.plan = plan
    self.scope = scope
    self.variables = variables
    let binding = RowBinding(plan, scope: scope, variables: variables)
    self.binding = binding
    discriminator = plan.isAbstract ? names.intern("__is" + plan.typeName) : nil
    clientPlan = plan.clientPlan.map {
      constants.bind($0, scope: scope, variables: variables, names: names)
    }
    var slots = BoundSlots(capacity: plan.slots.count)
    for (position, slot) in plan.slots.enumerated() {
      slots.append(slot, variables: variables, names: names)
      slots.children.append(
        constants.bind(
          childOf: slot, in: binding.spreadScopes[position], scope: scope, variables: variables,
          names: names))
      guard case .field(let field) = slot.content else { continue }
      for handle in field.handles {
        let bound = handle.bound(
          to: field, storageKey: slots.storageKeys[position], variables: variables, names: names)
        slots.handles.append((position, bound))
      }
    }
    storageKeys = slots.storageKeys
    keys = slots.keys
    let droppable = names.droppable(among: slots.keys)
    argumentKeys =
      droppable.count < 2
      ? droppable : Set(droppable).sorted(byNumber: { UInt64($0.rawValue) })
    isIncluded = slots.isIncluded
    deferrals = SlotDeferrals(plan, isIncluded: slots.isIncluded, variables: variables)
    children = slots.children
    handles = slots.handles
  }
}

/// The bindings of a plan's slots.
private struct BoundSlots {
  var storageKeys: [String] = []
  var keys: [FieldKey] = []
  var isIncluded: [Bool] = []
  var children: [BoundPlan?] = []
  var handles: [(slot: Int, handle: FieldHandle)] = []

  init(capacity: Int) {
    storageKeys.reserveCapacity(capacity)
    keys.reserveCapacity(capacity)
    isIncluded.reserveCapacity(capacity)
    children.reserveCapacity(capacity)
  }

  mutating func append(_ slot: PlanSlot, variables: JSONObject, names: KeyTable) {
    let storageKey = slot.storageKey(variables)
    let key = names.intern(storageKey)
    storageKeys.append(storageKey)
    keys.append(key)
    isIncluded.append(
      slot.guards.allSatisfy { $0.contains { $0.deferredPart != nil || $0.holds(variables) } })
  }
}

extension ConstantPlans {
  /// Binds the child plan of a slot: a linked field's selection, a derived field's fragment or an
  /// inlined fragment.
  fileprivate mutating func bind(
    childOf slot: PlanSlot, in spreadScope: @autoclosure () -> VariableScope,
    scope: VariableScope, variables: JSONObject, names: KeyTable
  ) -> BoundPlan? {
    switch slot.content {
    case .field(let field):
      if let plan = field.child {
        return bind(plan, scope: scope, variables: variables, names: names)
      }
      return field.derived.map {
        bind($0, scope: VariableScope(operation: scope.operation), names: names)
      }
    case .spread(let spread):
      return spread.inlined.map { bind($0, scope: spreadScope(), names: names) }
    case .condition: return nil
    }
  }
}

extension PlanSlot {
  fileprivate func storageKey(_ variables: JSONObject) -> String {
    switch content {
    case .field(let field):
      field.isDiscriminator ? field.responseKey : field.storageKey(variables)
    case .condition(let condition): "__is" + condition.typeName
    case .spread: ""
    }
  }
}

extension PlanHandle {
  /// Returns the handle of a field, with the values of the arguments.
  fileprivate func bound(
    to field: PlanField, storageKey: String, variables: JSONObject, names: KeyTable
  ) -> FieldHandle {
    let fieldArguments = field.arguments.values(variables)
    let options = arguments.values(variables)
    var handleKey = storageKey
    if case .string(let key)? = options["key"] {
      let filters = options["filters"]?.array?.compactMap(\.string) ?? []
      let arguments = fieldArguments.members.filter { member in
        filters.contains { $0.hasSameBytes(as: member.key) }
      }
      handleKey = StorageKey.text(
        name: "__\(key)_\(name)", arguments: JSONObject(arguments.map { ($0.key, $0.value) }))
    }
    return FieldHandle(
      name: name, field: names.intern(storageKey), arguments: fieldArguments, options: options,
      key: names.intern(handleKey), storageKey: handleKey,
      id: { [scalar = field.scalar] in $0.usableID(as: scalar) })
  }
}

extension [PlanArgument] {
  /// Returns the values of the arguments, without absent ones.
  fileprivate func values(_ variables: JSONObject) -> JSONObject {
    JSONObject(
      compactMap { argument in argument.value.json(variables).map { (argument.name, $0) } })
  }
}

extension BoundPlan {
  /// Returns the layout of rows of records with this shape; `nil` if such rows hold all their
  /// values themselves.
  package func layout(for shape: RecordShape) -> RowLayout? {
    derived.withLock { derived in
      if let cached = derived.layouts[ObjectIdentifier(shape)] { return cached.layout }
      // A record with very many fields gets a new shape with every change, so the cache is bounded.
      if derived.layouts.count >= 16 { derived.layouts.removeAll() }
      let layout = RowLayout(self, shape: shape)
      derived.layouts[ObjectIdentifier(shape)] = (shape, layout)
      return layout
    }
  }
}
