extension Rules {
  /// A subscription selects one field, which is not one of introspection.
  static let singleFieldSubscriptions: Rule = { context, visitors in
    visitors.operation.append { operation in
      guard operation.operation == .subscription, context.schema.subscriptionType != nil else {
        return
      }
      let subject =
        operation.name.map { "Subscription \"\(context.text($0.symbol))\"" }
        ?? "Anonymous Subscription"
      let groups = rootFields(of: operation.selectionSet, in: context)
      if groups.count > 1 {
        context.report(
          "single-field-subscriptions", "\(subject) must select only one top level field.",
          at: groups.dropFirst().flatMap { $0.map(\.span) })
      }
      for fields in groups {
        guard let name = fields.first?.name, context.text(name.symbol).hasPrefix("__") else {
          continue
        }
        context.report(
          "single-field-subscriptions",
          "\(subject) must not select an introspection top level field.", at: fields.map(\.span))
      }
    }
  }

  /// The fields of a selection set and of the fragments in it, grouped by response key, in the order of execution.
  private static func rootFields(of selectionSet: SelectionSet, in context: ValidationContext)
    -> [[Field]]
  {
    let subscription = context.schema.subscriptionType
    func applies(to condition: Name?) -> Bool {
      guard let condition, let subscription else { return true }
      guard let type = context.schema.type(named: condition.symbol) else { return false }
      return context.schema.isSubtype(subscription.id, of: type.id)
    }
    var groups: [[Field]] = []
    var positions: [Symbol: Int] = [:]
    var seen: Set<Symbol> = []
    var waiting: [Selection] = selectionSet.selections.reversed()
    while let selection = waiting.popLast() {
      switch selection {
      case .field(let field):
        if let position = positions[field.responseKey] {
          groups[position].append(field)
        } else {
          positions[field.responseKey] = groups.count
          groups.append([field])
        }
      case .inlineFragment(let fragment):
        guard applies(to: fragment.typeCondition) else { continue }
        waiting.append(contentsOf: fragment.selectionSet.selections.reversed())
      case .fragmentSpread(let spread):
        guard seen.insert(spread.name.symbol).inserted,
          let fragment = context.fragment(named: spread.name.symbol),
          applies(to: fragment.typeCondition)
        else { continue }
        waiting.append(contentsOf: fragment.selectionSet.selections.reversed())
      }
    }
    return groups
  }
}
