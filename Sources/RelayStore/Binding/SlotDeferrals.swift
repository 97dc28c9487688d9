/// The slots of one object that may arrive later, for one set of variables.
///
/// A guard satisfied by a variable defers no slot: `@defer(if: false)` has no part.
struct SlotDeferrals: Sendable {
  /// The parts of each deferred slot. The slot is present once one part of each array has arrived.
  private let parts: [Int: [[DeferredPart]]]

  /// Collects the deferred slots that the guards include.
  init(_ plan: SelectionPlan, isIncluded: [Bool], variables: JSONObject) {
    guard plan.hasDeferredParts else {
      parts = [:]
      return
    }
    var parts: [Int: [[DeferredPart]]] = [:]
    for (position, slot) in plan.slots.enumerated() where isIncluded[position] {
      let waiting = slot.guards.filter { terms in !terms.contains { $0.holds(variables) } }
      if !waiting.isEmpty { parts[position] = waiting.map { $0.compactMap(\.deferredPart) } }
    }
    self.parts = parts
  }

  /// Whether no slot is deferred.
  package var isEmpty: Bool { parts.isEmpty }

  /// Whether a slot's value may be received after its object.
  package func isDeferred(_ slot: Int) -> Bool { parts[slot] != nil }

  /// Whether a slot may be received with the part that has a label.
  package func isDeferred(_ slot: Int, by label: String) -> Bool {
    parts[slot]?.joined().contains { $0.label == label } ?? false
  }

  /// Whether a slot waits for parts that have not arrived.
  package func isPending(_ slot: Int, waitingFor pending: Set<DeferredPart>) -> Bool {
    parts[slot]?.contains { pending.isSuperset(of: $0) } ?? false
  }

  /// The object's parts, in the order of their first slots. Each part has only its own slots, not
  /// the slots of deferred parts nested in it.
  package var innermost: [(part: DeferredPart, slots: [Int])] { grouped { $0.suffix(1) } }

  /// The object's parts, in the order of their first slots, each with all of its slots.
  ///
  /// The selections below a linked field are not listed: they arrive with the field.
  package var all: [(part: DeferredPart, slots: [Int])] { grouped { $0[...] } }

  private func grouped(
    by guards: ([[DeferredPart]]) -> ArraySlice<[DeferredPart]>
  ) -> [(part: DeferredPart, slots: [Int])] {
    var result: [(part: DeferredPart, slots: [Int])] = []
    for slot in parts.keys.sorted() {
      for part in guards(parts[slot] ?? []).joined() {
        if let position = result.firstIndex(where: { $0.part == part }) {
          result[position].slots.append(slot)
        } else {
          result.append((part, [slot]))
        }
      }
    }
    return result
  }
}
