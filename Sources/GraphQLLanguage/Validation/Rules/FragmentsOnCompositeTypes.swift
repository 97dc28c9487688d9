extension Rules {
  /// Requires the type conditions of fragments to be object, interface or union types.
  static let fragmentsOnCompositeTypes: Rule = { context, visitors in
    func check(_ condition: Name, _ subject: String) {
      guard let type = context.schema.type(named: condition.symbol), !type.isComposite else {
        return
      }
      context.report(
        "fragments-on-composite-types",
        "\(subject) cannot condition on non composite type \"\(context.text(type.symbol))\".",
        at: condition.span, help: "Name an object, interface or union.")
    }
    visitors.inlineFragment.append { fragment, _ in
      if let condition = fragment.typeCondition { check(condition, "Fragment") }
    }
    visitors.fragment.append { fragment in
      check(fragment.typeCondition, "Fragment \"\(context.text(fragment.name.symbol))\"")
    }
  }
}
