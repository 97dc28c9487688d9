import GraphQLLanguage

/// A pass that gives all deferred spreads of one fragment on one object the label of the first. The
/// operation text contains only one of them, so the plan must not expect the others.
struct MergeDeferrals {
  private struct Key: Hashable {
    let selection: SelectionKey
    let object: Relabel.Object
  }

  package static func apply(to program: IR.Program) -> IR.Program {
    let relabel = Relabel(schema: program.schema, fragments: program.fragmentTypes)
    return program.map { root, selections in
      if deferralCount(in: selections) < 2 { return selections }
      var first: [Key: PartLabel] = [:]
      return relabel.selections(selections, of: Relabel.Object(type: root)) { part in
        if part.label.kind != "defer" { return part.label }
        let key = Key(selection: part.selection, object: part.object)
        let label = first[key] ?? part.label
        first[key] = label
        return label
      }
    }
  }

  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  private static func deferralCount(in selections: [IR.Selection]) -> Int {
    selections.reduce(0) { count, selection in
      guard case .spread(let spread) = selection.content else {
        return count + deferralCount(in: selection.selections)
      }
      return spread.deferral == nil ? count : count + 1
    }
  }
}
