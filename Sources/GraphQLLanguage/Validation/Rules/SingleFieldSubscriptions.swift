extension Rules {
  /// Requires a subscription to select a single root field that is not an introspection field.
  ///
  /// `@skip` and `@include` on root selections are warnings: the specification forbids them there,
  /// but the reference implementation does not.
  static let singleFieldSubscriptions: Rule = { context, visitors in
    var warned: Set<Span> = []
    visitors.operation.append { operation in
      guard operation.operation == .subscription, context.schema.subscriptionType != nil else {
        return
      }
      let subject =
        operation.name.map { "Subscription \"\(context.text($0.symbol))\"" }
        ?? "Anonymous Subscription"
      let root = SubscriptionRoot(operation.selectionSet, in: context)
      let groups = root.groups
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
      for condition in root.conditions where warned.insert(condition.span).inserted {
        context.warn(
          "single-field-subscriptions",
          "\(subject) should not have \"@\(context.text(condition.name.symbol))\" on its top level "
            + "selections.", at: condition.span,
          help: "Choose between subscriptions in the program; put conditions on fields below.")
      }
    }
  }
}

/// The root selections of a subscription and its fragments.
private struct SubscriptionRoot {
  /// The fields, grouped by response key, in execution order.
  private(set) var groups: [[Field]] = []
  /// The `@skip` and `@include` directives on these selections.
  private(set) var conditions: [Directive] = []
  private var positions: [Symbol: Int] = [:]

  init(_ selectionSet: SelectionSet, in context: ValidationContext) {
    let subscription = context.schema.subscriptionType
    func applies(to condition: Name?) -> Bool {
      guard let condition, let subscription else { return true }
      guard let type = context.schema.type(named: condition.symbol) else { return false }
      return context.schema.isSubtype(subscription.id, of: type.id)
    }
    var seen: Set<Symbol> = []
    var stack: [Selection] = selectionSet.selections.reversed()
    while let selection = stack.popLast() {
      switch selection {
      case .field(let field):
        add(field)
      case .inlineFragment(let fragment):
        addConditions(fragment.directives)
        guard applies(to: fragment.typeCondition) else { continue }
        stack.append(contentsOf: fragment.selectionSet.selections.reversed())
      case .fragmentSpread(let spread):
        addConditions(spread.directives)
        guard seen.insert(spread.name.symbol).inserted,
          let fragment = context.fragment(named: spread.name.symbol),
          applies(to: fragment.typeCondition)
        else { continue }
        stack.append(contentsOf: fragment.selectionSet.selections.reversed())
      }
    }
  }

  private mutating func add(_ field: Field) {
    addConditions(field.directives)
    if let position = positions[field.responseKey] {
      groups[position].append(field)
    } else {
      positions[field.responseKey] = groups.count
      groups.append([field])
    }
  }

  private mutating func addConditions(_ directives: [Directive]) {
    conditions += directives.filter { $0.name.symbol == .skip || $0.name.symbol == .include }
  }
}
