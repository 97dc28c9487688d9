/// Groups of one object's slots that share a response key or a spread, in the object itself and in
/// its type conditions.
///
/// All slots of a group have the same value, each with its own selections, even if the slot's own
/// `@include` or `@skip` excludes it.
struct SlotGroups: Sendable {
  /// All groups, each with two slots or more.
  package private(set) var all: [[Int]] = []
  /// The groups with a conditional slot. When a row is read, their slots may have different
  /// selections present.
  package private(set) var conditional: [[Int]] = []

  /// Groups the slots.
  ///
  /// - Parameter byKey: The slots of each response key.
  init(_ slots: [PlanSlot], byKey: [ByteString: [Int]]) {
    // Without type conditions, each response key and spread has one slot.
    guard slots.contains(where: { $0.enclosing != nil }) else { return }
    let fields = byKey.values.filter { $0.count > 1 }
    let spreads = slots.indices.filter { slots[$0].isSpread }
    let same = spreads.compactMap { spread -> [Int]? in
      let group = spreads.filter { slots[$0].isSame(as: slots[spread]) }
      return group.count > 1 && group[0] == spread ? group : nil
    }
    all = (fields + same).sorted(byNumber: { UInt64($0[0]) })
    conditional = all.filter { group in group.contains { slots[$0].isConditional } }
  }
}

extension PlanSlot {
  fileprivate var isSpread: Bool { if case .spread = content { true } else { false } }

  /// Whether both slots have the same response key or the same spread.
  func isSame(as other: PlanSlot) -> Bool {
    switch (content, other.content) {
    case (.field(let a), .field(let b)): a.responseKey == b.responseKey
    case (.spread(let a), .spread(let b)):
      a.name == b.name && a.alias == b.alias && a.arguments == b.arguments
    default: false
    }
  }

  /// Whether generated accessors rely on a value in the slot: it is unguarded and cannot be `nil`.
  var isNeeded: Bool {
    guard let field else { return !isGuarded }
    guard guards.isEmpty else { return false }
    return field.required != nil || !field.type.isNullable[0]
  }
}
