/// The slots of one object that stand for the same: a response key or a spread, once in the object and
/// once in each of the type conditions that have it too.
///
/// An object has one value for each, and every view of it shows as much of that as it selects; also
/// where `@include` or `@skip` would not have asked for it there.
package struct SlotGroups: Sendable {
  /// All groups of more than one slot.
  package private(set) var all: [[Int]] = []
  /// Those whose slots may differ in what is there of them when they are read.
  package private(set) var conditional: [[Int]] = []

  /// - Parameter byKey: The slots of each response key.
  init(_ slots: [PlanSlot], byKey: [ByteString: [Int]]) {
    // Without type conditions each stands once.
    guard slots.contains(where: { $0.enclosing != nil }) else { return }
    let fields = byKey.values.filter { $0.count > 1 }
    let spreads = slots.indices.filter { slots[$0].isSpread }
    let same = spreads.compactMap { spread -> [Int]? in
      let group = spreads.filter { slots[$0].isSame(as: slots[spread]) }
      return group.count > 1 && group[0] == spread ? group : nil
    }
    all = (fields + same).sorted { $0[0] < $1[0] }
    conditional = all.filter { group in group.contains { slots[$0].isConditional } }
  }
}

extension PlanSlot {
  fileprivate var isSpread: Bool { if case .spread = content { true } else { false } }

  /// Whether both stand for the same response key or the same spread.
  func isSame(as other: PlanSlot) -> Bool {
    switch (content, other.content) {
    case (.field(let a), .field(let b)): a.responseKey == b.responseKey
    case (.spread(let a), .spread(let b)):
      a.name == b.name && a.alias == b.alias && a.arguments == b.arguments
    default: false
    }
  }

  /// Whether who reads it relies on a value.
  var isNeeded: Bool {
    guard guards.isEmpty else { return false }
    guard let field else { return true }
    return field.required != nil || !field.type.isNullable[0]
  }
}
