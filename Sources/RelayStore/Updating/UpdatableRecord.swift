/// A record with the plan of its readable and writable fields, for generated code.
public struct UpdatableRecord {
  let record: RecordProxy
  let plan: SelectionPlan
  let variables: JSONObject

  private var session: UpdateSession { record.session }

  // MARK: Scalars

  /// The value of a scalar field; `nil` if it is null or was never written.
  public subscript<Value: RowValue>(slot: Int) -> Value? {
    get {
      session.attempt(on: plan.typeName) {
        let field = try field(slot)
        guard let value = try value(of: field), !value.isNull else { return nil }
        let slot: RowSlot?
        do {
          slot = try field.slot(of: value)
        } catch {
          var failure = misuse(
            field, "has a value that is not of type \(Value.self): \(error.text)")
          failure.underlying = error
          throw failure
        }
        guard let read = slot.flatMap(Value.init(__slot:)) else {
          throw misuse(field, "has a value that is not of type \(Value.self)")
        }
        return read
      }
    }
    nonmutating set {
      session.attempt(on: plan.typeName) {
        let field = try field(slot)
        if newValue == nil { try checkNullable(field) }
        let value = newValue.map { FieldValue(JSONValue(RowSlot(of: $0))) } ?? .null
        try session.set(value, key(of: field), of: record.index)
      }
    }
  }

  /// The type's name; `nil` until a response has included it.
  public var typename: String? {
    session.attempt(on: plan.typeName) { plan.isAbstract ? try record.typeName : plan.typeName }
  }

  /// The record's id.
  public var id: String { record.id.rawValue }

  // MARK: Objects

  /// Returns the object that a field links to.
  public func object<Object: GraphQLUpdatable>(_ slot: Int) -> Object? {
    session.attempt(on: plan.typeName) {
      let field = try field(slot)
      return try record.linkedRecord(at: key(of: field), named: field.responseKey)
        .flatMap { object($0, field) }
    }
  }

  /// Returns the objects that a field links to.
  public func objects<Object: GraphQLUpdatable>(_ slot: Int) -> [Object?]? {
    session.attempt(on: plan.typeName) {
      let field = try field(slot)
      return try record.linkedRecords(at: key(of: field), named: field.responseKey)?
        .map { $0.flatMap { object($0, field) } }
    }
  }

  /// Returns this object through the type condition in a slot; `nil` if the condition does not
  /// hold.
  public func view<View: GraphQLUpdatable>(_ slot: Int) -> View? {
    session.attempt(on: plan.typeName) {
      guard plan.slots.indices.contains(slot),
        case .condition(let condition) = plan.slots[slot].content,
        let typeName = plan.isAbstract ? try record.typeName : plan.typeName
      else { return nil }
      if !condition.isAbstract {
        return typeName == condition.typeName ? View(__record: self) : nil
      }
      // The same rule as `LayeredSource.satisfies`, in the layer that the updater sees.
      let schema = try session.record(session.index(of: .typeSchema(typeName)))
      let key = try session.key("__is" + condition.typeName)
      if case .bool(let satisfies)? = schema[key] { return satisfies ? View(__record: self) : nil }
      return plan.types?.satisfies(typeName, condition.typeName) == true
        ? View(__record: self) : nil
    }
  }

  // MARK: Links

  /// Links a field to the record of a reference, or to null.
  public func link<Fragment>(_ slot: Int, to reference: FragmentRef<Fragment>?) throws {
    let field = try field(slot)
    if reference == nil { try checkNullable(field) }
    let value = try reference.map { FieldValue.link(try index(of: $0, for: field)) } ?? .null
    try session.set(value, key(of: field), of: record.index)
  }

  /// Links a field to the records of references, or to null.
  public func link<Fragment>(_ slot: Int, to references: [FragmentRef<Fragment>?]?) throws {
    let field = try field(slot)
    guard let references else { return try unlink(slot) }
    if field.type.isNullable.last == false, references.contains(where: { $0 == nil }) {
      throw misuse(field, "cannot have a null in its list")
    }
    let links = try references.map { try $0.map { try index(of: $0, for: field) } ?? .none }
    try session.set(.links(links), key(of: field), of: record.index)
  }

  /// Links a field to null.
  public func unlink(_ slot: Int) throws {
    let field = try field(slot)
    try checkNullable(field)
    try session.set(.null, key(of: field), of: record.index)
  }

  // MARK: Fields and records

  private func field(_ slot: Int) throws -> PlanField {
    guard plan.slots.indices.contains(slot), let field = plan.slots[slot].field else {
      throw RelayError(
        .update, "Slot \(slot) of \(plan.typeName) is not a field; run relay-compiler again.")
    }
    return field
  }

  private func key(of field: PlanField) throws -> FieldKey {
    try session.key(field.storageKey(variables))
  }

  private func value(of field: PlanField) throws -> FieldValue? {
    try session.record(record.index)[key(of: field)]
  }

  private func object<Object: GraphQLUpdatable>(
    _ record: RecordProxy, _ field: PlanField
  ) -> Object? {
    field.child.map {
      Object(__record: UpdatableRecord(record: record, plan: $0, variables: variables))
    }
  }

  private func index<Fragment>(
    of reference: FragmentRef<Fragment>, for field: PlanField
  ) throws -> RecordIndex {
    guard let id = reference.id else {
      throw misuse(field, "cannot link to a reference that contains its data")
    }
    let index = try session.index(of: id)
    guard try session.record(index).state == .present else {
      throw misuse(field, "cannot link to record \"\(id)\": it is not in the store")
    }
    return index
  }

  private func checkNullable(_ field: PlanField) throws {
    if !field.type.isNullable[0] { throw misuse(field, "may not be null") }
  }

  private func misuse(_ field: PlanField, _ problem: String) -> RelayError {
    record.misuse(field.responseKey, problem)
  }
}

extension PlanField {
  /// Converts a scalar to the field's type; returns `nil` for a value of another kind.
  ///
  /// - Throws: The error of a custom scalar's initializer.
  fileprivate func slot(of value: FieldValue) throws -> RowSlot? {
    switch value {
    case .null: return RowSlot(.null)
    case .link, .links: return nil
    case .list(let values) where type.listDepth > 0:
      var slots: [RowSlot] = []
      for value in values {
        guard let slot = try slot(of: value) else { return nil }
        slots.append(slot)
      }
      return RowSlot(.list(ListBuffer(slots)))
    case .int(let int) where type.namedType == .id: return RowSlot(.string(String(int)))
    case .number(let number) where type.namedType == .id: return RowSlot(.string(number.digits))
    default:
      guard let scalar else { return RowSlot(scalar: value) }
      return try value.json.map { json in
        let converted = try StoreCallback.run("the conversion of the scalar type \(scalar)") {
          try scalar.init(json: json)
        }
        return RowSlot(converted: converted)
      }
    }
  }
}

extension FieldValue {
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}
