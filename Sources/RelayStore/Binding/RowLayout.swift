/// The variables of a row and of its spreads.
package final class RowBinding: Sendable {
  package let scope: VariableScope
  package let variables: JSONObject
  /// The variables of each spread, by slot; empty if there are no spreads. All references to a
  /// row's spread share one scope, so that the spread's bound plan is found by identity.
  let spreadScopes: [VariableScope]

  package init(_ plan: SelectionPlan, scope: VariableScope, variables: JSONObject) {
    self.scope = scope
    self.variables = variables
    var spreadScopes: [VariableScope] = []
    for position in plan.slots.indices {
      guard case .spread(let spread) = plan.slots[position].content else { continue }
      if spreadScopes.isEmpty {
        spreadScopes = Array(repeating: .empty, count: plan.slots.count)
      }
      spreadScopes[position] = spread.scope(in: scope, variables)
    }
    self.spreadScopes = spreadScopes
  }
}

/// The location of each value of a row: in the row itself, or in the record that the row was read
/// from.
///
/// `@unchecked Sendable`: the initializers allocate and fill the buffers of `compactLocations`,
/// `scalars` and `links`. They are not written afterwards, and only `deinit` deallocates them. A
/// caller that copies one of the pointers must retain the layout while using it.
package final class RowLayout: @unchecked Sendable {
  /// The location of one slot's value.
  package enum Location: Sendable {
    /// In the row itself, at a slot index.
    case stored(Int)
    /// In the record, at a position of its shape.
    case cell(Int, isID: Bool)
    /// The plan's own type.
    case planType
    /// The record's type.
    case recordType
    /// A spread or a condition that holds, which refers to the row's own record.
    case ownRecord
    /// A condition that does not hold, a slot inside it, or an excluded slot.
    case absent

    /// The encoding of ``RowLayout/compactLocations``.
    fileprivate var compact: Int32 {
      switch self {
      case .cell(let position, _): Int32(position)
      case .stored(let position): Int32(-2 - position)
      default: -1
      }
    }
  }

  /// A scalar of the record. `kinds` has a bit for each kind of cell that is a value of it.
  package struct Scalar: Sendable {
    package let position: Int
    package let kinds: UInt8
    let isFloat: Bool
    /// The kinds that are valid without further checks.
    fileprivate let plainKinds: UInt8

    fileprivate init(position: Int, kinds: UInt8, isFloat: Bool) {
      self.position = position
      self.kinds = kinds
      self.isFloat = isFloat
      let checkedKinds =
        1 << FieldCell.Kind.boxed.rawValue | (isFloat ? 1 << FieldCell.Kind.number.rawValue : 0)
      plainKinds = kinds & ~UInt8(checkedKinds)
    }

    /// Returns whether the cell is a value of the field's type without conversion.
    @inline(never)
    fileprivate func isValue(_ cell: FieldCell, texts: StringBytes, in record: RecordBox) -> Bool {
      guard cell.isOne(of: kinds) else { return false }
      // A number that exceeds `Double` is not a value. Without an exponent, fewer than 300 digits
      // always fit.
      if isFloat, cell.kind == .number {
        return cell.stringCount < 300 && !texts[cell].contains { $0 | 0x20 == UInt8(ascii: "e") }
      }
      return cell.kind != .boxed || !record.value(at: position).isLinked
    }
  }

  /// A linked field or a list. The row stores its value.
  package struct Part: Sendable {
    package let slot: Int
    package let field: PlanField
    package let position: Int
    package let responseKey: String
    /// Whether the value is a single object, not a list.
    package let isObject: Bool
    package let isNullable: Bool
    /// The identity of the object's bound plan; of the field if it has no bound plan.
    package let child: ObjectIdentifier
    /// The object's bound plan. Unretained: the bound plan that the layout was made for retains it.
    fileprivate let childPlan: Unmanaged<BoundPlan>?

    fileprivate init(slot: Int, field: PlanField, position: Int, child: BoundPlan?) {
      self.slot = slot
      self.field = field
      self.position = position
      responseKey = field.responseKey
      self.child = child.map { ObjectIdentifier($0) } ?? ObjectIdentifier(field)
      childPlan = child.map { Unmanaged.passUnretained($0) }
      isObject = field.type.namedType == .object && field.type.listDepth == 0
      isNullable = field.type.isNullable[0]
    }
  }

  package let plan: SelectionPlan
  package let binding: RowBinding?
  /// The shape of the records that the layout applies to; `nil` if rows hold all their values.
  package let shape: RecordShape?
  package let locations: ContiguousArray<Location>
  /// A compact encoding of ``locations``, by slot: a scalar's position in the record, `-2 - n` for
  /// the row's own slot `n`, -1 for all others.
  ///
  /// The buffer has as many elements as ``locations``. The accessors check their index against it.
  private let compactLocations: UnsafeMutablePointer<Int32>
  /// The number of slots that a row itself holds.
  let storedCount: Int
  /// The scalars to check when a record is read. Valid for the lifetime of the layout.
  package let scalars: UnsafeBufferPointer<Scalar>
  package let parts: ContiguousArray<Part>
  /// The parts in a trivial form, if all of them are objects; otherwise `nil`. Valid for the
  /// lifetime of the layout: the reader's fast path retains the layouts of the pointers it copies.
  package let links: UnsafeBufferPointer<Link>?
  /// The value of `__typename`, if it is the same for all rows of the layout.
  package let typename: String?

  /// A linked object: the trivial form of a ``Part``.
  package struct Link: Sendable {
    package let position: Int
    package let isNullable: Bool
    /// The identity of the object's bound plan.
    package let child: ObjectIdentifier
    /// The object's bound plan, valid while the layout's own bound plan lives.
    let childPlan: Unmanaged<BoundPlan>?

    fileprivate init(_ part: Part) {
      position = part.position
      isNullable = part.isNullable
      child = part.child
      childPlan = part.childPlan
    }
  }

  /// Copies trivial values to a buffer that is read without retains.
  ///
  /// `deinit` deallocates the buffer without deinitializing it. This is sound because ``Scalar``
  /// and ``Link`` have no references.
  private static func table<Element>(_ list: ContiguousArray<Element>)
    -> UnsafeBufferPointer<Element>
  {
    let table = UnsafeMutableBufferPointer<Element>.allocate(capacity: list.count)
    _ = table.initialize(from: list)
    return UnsafeBufferPointer(table)
  }

  /// Whether rows of both layouts are the same: both were made for one bound plan and one shape.
  /// Readers have layouts of their own; see ``FastPath``.
  @inline(__always)
  func isSame(as other: RowLayout) -> Bool {
    self === other
      || shape != nil && shape === other.shape && plan === other.plan && binding === other.binding
  }

  deinit {
    compactLocations.deallocate()
    scalars.deallocate()
    links?.deallocate()
  }

  /// Returns the position of a slot's value in the record; `nil` if it is not one of its scalars.
  @inline(__always)
  func cellPosition(_ slot: Int) -> Int? {
    precondition(locations.indices.contains(slot))
    let position = Int(compactLocations[slot])
    return position < 0 ? nil : position
  }

  /// Returns the row's own slot for a slot of the plan; `nil` if the row does not hold it.
  @inline(__always)
  func storedPosition(_ slot: Int) -> Int? {
    precondition(locations.indices.contains(slot))
    let position = -2 - Int(compactLocations[slot])
    return position < 0 ? nil : position
  }

  /// Returns whether a record has a value of the right type for every scalar.
  ///
  /// - Precondition: The record has the layout's shape, so it has a cell at every scalar's
  ///   position. This is not checked; the reader looks up the layout by the record's shape.
  func hasAllScalars(of record: RecordBox) -> Bool {
    record.withCells { cells, texts in
      for scalar in scalars {
        let cell = cells[scalar.position]
        if cell.isOne(of: scalar.plainKinds) { continue }
        guard scalar.isValue(cell, texts: texts, in: record) else { return false }
      }
      return true
    }
  }

  /// Creates the layout of rows that hold all their values.
  package init(_ plan: SelectionPlan, binding: RowBinding?) {
    self.plan = plan
    self.binding = binding
    shape = nil
    locations = ContiguousArray(plan.slots.indices.map { .stored($0) })
    compactLocations = .allocate(capacity: plan.slots.count)
    for slot in plan.slots.indices { (compactLocations + slot).initialize(to: Int32(-2 - slot)) }
    storedCount = plan.slots.count
    scalars = Self.table([])
    parts = []
    links = nil
    typename = nil
  }

  /// Creates the layout for rows backed by records of a shape. Returns `nil` if the plan needs more
  /// than lookups in the record, or the shape does not have one of its fields.
  package init?(_ plan: BoundPlan, shape: RecordShape) {
    guard let placement = Placement(of: plan, in: shape) else { return nil }
    self.plan = plan.plan
    binding = plan.binding
    self.shape = shape
    locations = placement.locations
    compactLocations = .allocate(capacity: locations.count)
    for (slot, location) in locations.enumerated() {
      (compactLocations + slot).initialize(to: location.compact)
    }
    storedCount = placement.parts.count
    scalars = Self.table(placement.scalars)
    parts = placement.parts
    links =
      parts.allSatisfy(\.isObject) ? Self.table(ContiguousArray(parts.lazy.map(Link.init))) : nil
    typename = plan.plan.typenameSlot.flatMap { slot in
      if case .planType = placement.locations[slot] { plan.plan.typeName } else { nil }
    }
  }
}

extension RowLayout {
  /// The locations of a plan's slots in records of one shape.
  private struct Placement {
    var locations: ContiguousArray<Location> = []
    var scalars: ContiguousArray<Scalar> = []
    var parts: ContiguousArray<Part> = []

    /// Locates every slot; returns `nil` if a slot needs more than a lookup in the record.
    init?(of plan: BoundPlan, in shape: RecordShape) {
      if shape.isLarge { return nil }
      for (slot, content) in plan.plan.slots.enumerated() {
        guard plan.isIncluded[slot], isReached(content) else {
          locations.append(.absent)
          continue
        }
        switch content.content {
        case .condition(let condition):
          let typeName = plan.plan.isAbstract ? shape.typeName : plan.plan.typeName
          guard let typeName, !condition.isAbstract else { return nil }
          locations.append(typeName == condition.typeName ? .ownRecord : .absent)
        case .spread(let spread):
          guard spread.inlined == nil else { return nil }
          locations.append(.ownRecord)
        case .field(let field):
          guard let location = location(of: field, slot: slot, plan: plan, shape: shape) else {
            return nil
          }
          locations.append(location)
        }
      }
      // Slots that share a value may have different selections of it.
      for group in plan.plan.slotGroups.all
      where group.count(where: { isReached(plan.plan.slots[$0]) }) > 1 { return nil }
    }

    /// Whether the condition around a slot holds.
    private func isReached(_ slot: PlanSlot) -> Bool {
      guard let enclosing = slot.enclosing else { return true }
      if case .absent = locations[enclosing] { return false }
      return true
    }

    private mutating func location(
      of field: PlanField, slot: Int, plan: BoundPlan, shape: RecordShape
    ) -> Location? {
      // If the value is not in a cell itself, only the reader can produce it.
      guard field.catches == nil, !field.isRecordID, field.derived == nil else { return nil }
      if field.isTypename {
        if !plan.plan.isAbstract { return .planType }
        return shape.typeName == nil ? nil : .recordType
      }
      guard let position = shape.position(of: plan.keys[slot]) else { return nil }
      if field.type.listDepth == 0, let kinds = field.cellKinds {
        scalars.append(
          Scalar(position: position, kinds: kinds, isFloat: field.type.namedType == .float))
        return .cell(position, isID: field.type.namedType == .id)
      }
      // A null in a required field needs the reader.
      guard field.required == nil else { return nil }
      parts.append(Part(slot: slot, field: field, position: position, child: plan.children[slot]))
      return .stored(parts.count - 1)
    }
  }
}

extension PlanField {
  /// The kinds of cell that are values of this scalar without conversion, as bits; `nil` for an
  /// object and for a scalar that must be converted.
  fileprivate var cellKinds: UInt8? {
    let kinds: [FieldCell.Kind]
    switch type.namedType {
    case .string, .enumeration: kinds = [.string]
    case .id: kinds = [.string, .int, .number]
    case .int: kinds = [.int]
    case .float: kinds = [.int, .number]
    case .boolean: kinds = [.bool]
    case .custom: kinds = [.bool, .int, .string, .number, .boxed]
    case .object: return nil
    }
    if scalar != nil { return nil }
    let isNullable = type.isNullable[0] && required == nil
    return kinds.reduce(isNullable ? 1 << FieldCell.Kind.null.rawValue : 0) {
      $0 | 1 << $1.rawValue
    }
  }
}
