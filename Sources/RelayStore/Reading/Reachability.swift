/// Finds the records that an operation needs.
package enum Reachability {
  /// Adds every record that the plan reaches from a record, over all its type conditions.
  ///
  /// - Complexity: O(*n*) in the links followed; each record is entered once for each selection.
  package static func mark(
    from start: RecordIndex, _ plan: BoundPlan, in source: LayeredSource,
    into marked: inout RecordSet
  ) {
    var entered: Set<Step> = []
    var open = [Step(index: start, plan: plan)]
    while let step = open.popLast() {
      marked.insert(step.index)
      guard entered.insert(step).inserted else { continue }
      for (slot, handle) in step.plan.handles {
        guard let child = step.plan.children[slot] else { continue }
        for record in [source[step.index], source[base: step.index]] {
          record[handle.key]?.forEachLink { open.append(Step(index: $0, plan: child)) }
        }
      }
      for (slot, child) in step.plan.children.enumerated() {
        guard let child else { continue }
        if step.plan.plan.slots[slot].field == nil {
          open.append(Step(index: step.index, plan: child))
          continue
        }
        source[step.index][step.plan.keys[slot]]?.forEachLink {
          open.append(Step(index: $0, plan: child))
        }
        source[base: step.index][step.plan.keys[slot]]?.forEachLink {
          open.append(Step(index: $0, plan: child))
        }
      }
    }
  }

  private struct Step: Hashable {
    let index: RecordIndex
    let plan: BoundPlan

    static func == (left: Step, right: Step) -> Bool {
      left.index == right.index && left.plan === right.plan
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(index)
      hasher.combine(ObjectIdentifier(plan))
    }
  }
}
