/// Makes rows from records.
///
/// Its recursion is as deep as the plan, whatever the records link to.
package struct RecordReader {
  private let source: LayeredSource
  private var result = RowSnapshot()
  private var path: [ResponsePath.Component] = []

  private init(source: LayeredSource) { self.source = source }

  /// Reads a record as a plan says.
  ///
  /// - Complexity: O(*n*) in the values read.
  package static func read(_ index: RecordIndex, _ plan: BoundPlan, from source: LayeredSource)
    -> RowSnapshot
  {
    var reader = RecordReader(source: source)
    reader.result.isDeleted = source[index].state == .deleted
    if reader.result.isDeleted {
      reader.saw(index)
    } else {
      reader.result.row = reader.object(index, plan)
    }
    return reader.result
  }

  private mutating func saw(_ index: RecordIndex) {
    guard result.seen.insert(index).inserted else { return }
    if source.overlaid[index] != nil { result.isOptimistic = true }
  }

  private mutating func miss() { result.missing.append(ResponsePath(path)) }

  // MARK: Objects

  /// The record's row; `nil` where a value that may not be null is, or the record is unknown.
  private mutating func object(_ index: RecordIndex, _ plan: BoundPlan) -> RowStorage? {
    saw(index)
    let record = source[index]
    guard record.state == .present else {
      miss()
      return nil
    }
    var slots: ContiguousArray<Slot> = []
    slots.reserveCapacity(plan.plan.slots.count)
    var isWhole = true
    for (position, slot) in plan.plan.slots.enumerated() {
      guard isPresent(slot, at: position, plan, slots) else {
        slots.append(.absent)
        continue
      }
      switch slot.content {
      case .spread:
        guard let inlined = plan.children[position] else {
          slots.append(.matches)
          continue
        }
        let row = object(index, inlined)
        if row == nil { isWhole = false }
        slots.append(row.map { Slot(.row($0)) } ?? Slot(.null))
      case .condition(let condition):
        slots.append(satisfies(record, condition, plan, position) ? .matches : .absent)
      case .field(let field) where field.isRecordID:
        let id = source.identities.id(of: index)
        if id == nil { isWhole = false }
        slots.append(id.map { Slot(.string($0.rawValue)) } ?? Slot(.null))
      case .field(let field):
        guard let value = self.field(field, position, of: record, plan) else {
          isWhole = false
          slots.append(Slot(.null))
          continue
        }
        slots.append(value)
      }
    }
    guard isWhole else { return nil }
    return RowStorage(
      plan: plan.plan, slots: slots, id: source.identities.id(of: index), bound: plan)
  }

  private func isPresent(
    _ slot: PlanSlot, at position: Int, _ plan: BoundPlan, _ slots: ContiguousArray<Slot>
  ) -> Bool {
    guard plan.isIncluded[position] else { return false }
    guard let enclosing = slot.enclosing else { return true }
    return slots[enclosing].isReference
  }

  /// Whether the record's type is, or implements, that of a condition.
  private mutating func satisfies(
    _ record: Record, _ condition: TypeCondition, _ plan: BoundPlan, _ slot: Int
  ) -> Bool {
    // Where the plan knows the type it is right: the root's record has a type of Relay's own.
    guard let typeName = plan.plan.isAbstract ? record.typeName : plan.plan.typeName else {
      miss()
      return false
    }
    if !condition.isAbstract { return typeName == condition.typeName }
    if let schema = source.identities.index(of: .typeSchema(typeName)) {
      saw(schema)
      if case .bool(let satisfies)? = source[schema][plan.keys[slot]] { return satisfies }
    }
    if let known = plan.plan.types?.satisfies(typeName, condition.typeName) { return known }
    miss()
    return false
  }

  // MARK: Fields

  /// The value of a field; `nil` where it may not be null and is.
  private mutating func field(
    _ field: PlanField, _ slot: Int, of record: Record, _ plan: BoundPlan
  ) -> Slot? {
    if field.isTypename { return typename(of: record, plan) }
    path.append(.field(field.responseKey))
    defer { path.removeLast() }
    let key = plan.keys[slot]
    if !record.errors.isEmpty {
      for error in record.errors[key] ?? [] {
        let place = ResponsePath(path + error.path.components)
        result.errors.append(FieldError(kind: .server, message: error.message, path: place))
      }
    }
    guard let value = record[key] else { return hole(isNullable: field.type.isNullable[0]) }
    return self.value(value, field, level: 0, child: plan.children[slot])
  }

  private mutating func typename(of record: Record, _ plan: BoundPlan) -> Slot? {
    if !plan.plan.isAbstract { return Slot(.string(plan.plan.typeName)) }
    if let typeName = record.typeName { return Slot(.string(typeName)) }
    path.append(.field("__typename"))
    defer { path.removeLast() }
    return hole(isNullable: false)
  }

  /// Something that should be there and is not.
  private mutating func hole(isNullable: Bool) -> Slot? {
    miss()
    return isNullable ? Slot(.null) : nil
  }

  /// A null: as such where the schema allows it, else a hole.
  private mutating func null(_ field: PlanField, level: Int) -> Slot? {
    field.type.isNullable[level] ? Slot(.null) : hole(isNullable: false)
  }

  private mutating func value(
    _ value: FieldValue, _ field: PlanField, level: Int, child: BoundPlan?
  ) -> Slot? {
    if level < field.type.listDepth { return list(value, field, level: level, child: child) }
    let isNullable = field.type.isNullable[level]
    switch (field.type.leaf, value) {
    case (_, .null): return null(field, level: level)
    case (.object, .link(let index)):
      guard let child else { return hole(isNullable: isNullable) }
      if source[index].state == .deleted {
        saw(index)
        return null(field, level: level)
      }
      guard let row = object(index, child) else { return isNullable ? Slot(.null) : nil }
      return Slot(.row(row))
    case (.string, .string), (.id, .string), (.enumeration, .string), (.boolean, .bool),
      (.int, .int), (.float, .int):
      return Slot(scalar: value)
    case (.custom(let name), _):
      return custom(value, name, field.scalar, isNullable: isNullable)
    case (.int, .number(let number)) where number.int != nil: return Slot(scalar: value)
    case (.float, .number(let number)) where number.double != nil: return Slot(scalar: value)
    case (.id, .int(let int)): return Slot(.string(String(int)))
    case (.id, .number(let number)): return Slot(.string(number.digits))
    default: return hole(isNullable: isNullable)
    }
  }

  /// A custom scalar, converted where it has a Swift type.
  private mutating func custom(
    _ value: FieldValue, _ name: String, _ type: (any CustomScalar.Type)?, isNullable: Bool
  ) -> Slot? {
    guard let json = value.json else { return hole(isNullable: isNullable) }
    guard let type else { return Slot(scalar: value) }
    do {
      return try type.init(json: json).__slot
    } catch {
      let message = "The value of scalar \"\(name)\" does not convert to \(type)."
      result.errors.append(FieldError(kind: .scalar, message: message, path: ResponsePath(path)))
      return hole(isNullable: isNullable)
    }
  }

  private mutating func list(
    _ value: FieldValue, _ field: PlanField, level: Int, child: BoundPlan?
  ) -> Slot? {
    let elements: [FieldValue]
    switch value {
    case .null: return null(field, level: level)
    case .list(let values): elements = values
    case .links(let links): elements = links.map { $0 == .none ? .null : .link($0) }
    default: return hole(isNullable: field.type.isNullable[level])
    }
    var slots: ContiguousArray<Slot> = []
    slots.reserveCapacity(elements.count)
    var isWhole = true
    for (position, element) in elements.enumerated() {
      path.append(.index(position))
      defer { path.removeLast() }
      if let slot = self.value(element, field, level: level + 1, child: child) {
        slots.append(slot)
      } else {
        isWhole = false
      }
    }
    if isWhole { return Slot(.list(ListStorage(slots))) }
    return field.type.isNullable[level] ? Slot(.null) : nil
  }
}
