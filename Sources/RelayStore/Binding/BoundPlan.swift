/// A plan for one store and one set of variables: every storage key resolved and numbered.
package final class BoundPlan: Sendable {
  package let plan: SelectionPlan
  /// The storage key of each field, by slot.
  package let storageKeys: [String]
  /// Its number, by slot; of no meaning where the slot is not a field.
  package let keys: [FieldKey]
  /// Those of them that the collector drops where nothing selects them, sorted.
  package let argumentKeys: [FieldKey]
  /// Whether the variables include the slot, enclosing type conditions aside.
  package let isIncluded: [Bool]
  /// The bound selection of each linked field and `@inline` fragment, by slot.
  package let children: [BoundPlan?]
  /// What leads to objects that only the client knows, of the same record.
  let clientPlan: BoundPlan?
  /// What is to be done with its fields, with the slot of each.
  package let handles: [(slot: Int, handle: FieldHandle)]
  /// The variables it was bound to, for its spreads.
  package let scope: VariableScope
  /// The values that its selections see.
  package let variables: JSONObject
  /// What its rows know of it.
  package let binding: RowBinding

  /// What is made of it on first use.
  private struct Made {
    var program: ResponseProgram?
    var fullLayout: RowLayout?
    /// The layouts by shape; `nil` where rows of the shape hold all their values.
    var layouts: [ObjectIdentifier: (shape: RecordShape, layout: RowLayout?)] = [:]
  }

  private let made = Locked(Made(), rank: .boundPlan)

  /// The plan as responses are read with it, made on first use.
  package var program: ResponseProgram {
    made.withLock { made in
      let program = made.program ?? ResponseProgram(self)
      made.program = program
      return program
    }
  }

  /// A layout of rows that hold all their values.
  package var fullLayout: RowLayout {
    made.withLock { made in
      let layout = made.fullLayout ?? RowLayout(plan, binding: binding)
      made.fullLayout = layout
      return layout
    }
  }

  /// - Parameters:
  ///   - names: The store's storage keys.
  ///   - constants: The plans below that are the same for all variables.
  init(
    _ plan: SelectionPlan, scope: VariableScope, variables: JSONObject, names: inout KeyTable,
    constants: inout ConstantPlans
  ) {
    self.plan = plan
    self.scope = scope
    self.variables = variables
    binding = RowBinding(scope: scope, variables: variables)
    let storageKeys = plan.slots.map { $0.storageKey(variables) }
    self.storageKeys = storageKeys
    keys = storageKeys.map { names.intern($0) }
    handles = plan.slots.enumerated().flatMap { position, slot in
      (slot.field?.handles ?? []).map { handle in
        (position, handle.bound(to: slot.field, storageKeys[position], variables, &names))
      }
    }
    let argumentKeys = keys.filter { names.isDroppable($0) }
    self.argumentKeys = Set(argumentKeys).sorted { $0.rawValue < $1.rawValue }
    isIncluded = plan.slots.map { slot in
      slot.guards.allSatisfy {
        $0.contains { $0.isDeferred || variables[$0.variable]?.bool == $0.passes }
      }
    }
    clientPlan = plan.clientPlan.map { constants.bind($0, scope, variables, &names) }
    children = plan.slots.map { slot in
      switch slot.content {
      case .field(let field):
        field.child.map { constants.bind($0, scope, variables, &names) }
          ?? field.derived.map {
            constants.bind($0, VariableScope(operation: scope.operation), &names)
          }
      case .spread(let spread):
        spread.inlined.map { constants.bind($0, spread.scope(in: scope, variables), &names) }
      case .condition: nil
      }
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
  /// The handle of a field with the values of its arguments.
  fileprivate func bound(
    to field: PlanField?, _ storageKey: String, _ variables: JSONObject, _ names: inout KeyTable
  ) -> FieldHandle {
    let fieldArguments = field?.arguments.values(variables) ?? [:]
    let options = arguments.values(variables)
    var kept = storageKey
    if case .string(let key)? = options["key"] {
      let filters = options["filters"]?.array?.compactMap(\.string) ?? []
      let arguments = fieldArguments.members.filter { member in
        filters.contains { $0.hasSameBytes(as: member.key) }
      }
      kept = StorageKey.text(
        name: "__\(key)_\(name)", arguments: JSONObject(arguments.map { ($0.key, $0.value) }))
    }
    return FieldHandle(
      name: name, field: names.intern(storageKey), arguments: fieldArguments, options: options,
      key: names.intern(kept), storageKey: kept,
      id: { [scalar = field?.scalar] in $0.usableID(as: scalar) })
  }
}

extension [PlanArgument] {
  /// The values of those that are not absent.
  fileprivate func values(_ variables: JSONObject) -> JSONObject {
    JSONObject(
      compactMap { argument in argument.value.json(variables).map { (argument.name, $0) } })
  }
}

extension BoundPlan {
  /// How rows of records of a shape are laid out; `nil` where they hold all their values.
  package func layout(for shape: RecordShape) -> RowLayout? {
    made.withLock { made in
      if let known = made.layouts[ObjectIdentifier(shape)] { return known.layout }
      // A record with very many fields has a new shape for every change.
      if made.layouts.count >= 16 { made.layouts.removeAll() }
      let layout = RowLayout(self, shape: shape)
      made.layouts[ObjectIdentifier(shape)] = (shape, layout)
      return layout
    }
  }
}
