extension Rules {
  /// Requires a fragment's type condition to share a possible type with the type it is spread on.
  static let possibleFragmentSpreads: Rule = { context, visitors in
    func check(_ condition: Name, on parent: NamedType?, _ subject: String, at span: Span) {
      guard let parent, let type = context.schema.type(named: condition.symbol), type.isComposite,
        !context.schema.doTypesOverlap(type, parent)
      else { return }
      context.report(
        "possible-fragment-spreads",
        "\(subject) cannot be spread here as objects of type \"\(context.text(parent.symbol))\" "
          + "can never be of type \"\(context.text(type.symbol))\".",
        at: span)
    }
    visitors.inlineFragment.append { fragment, parent in
      guard let condition = fragment.typeCondition else { return }
      check(condition, on: parent, "Fragment", at: fragment.span)
    }
    visitors.fragmentSpread.append { spread, parent in
      guard let fragment = context.fragment(named: spread.name.symbol) else { return }
      check(
        fragment.typeCondition, on: parent, "Fragment \"\(context.text(spread.name.symbol))\"",
        at: spread.span)
    }
  }
}
