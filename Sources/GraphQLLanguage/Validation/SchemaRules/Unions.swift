extension SchemaRules {
  /// Requires unions to have members that are distinct object types.
  static let unions: SchemaRule = { check in
    for type in check.types where type.kind == .union {
      let name = check.text(type.symbol)
      if type.memberTypes.isEmpty {
        check.report(
          "types-have-members", "Union type \"\(name)\" must define one or more member types.",
          at: type.definitionSpans)
      }
      var seen: Set<TypeID> = []
      for id in type.memberTypes {
        let member = check.schema[id]
        let spans = {
          type.definitions.flatMap { definition in
            definition.memberTypes.filter { $0.symbol == member.symbol }.map(\.span)
          }
        }
        if !seen.insert(id).inserted {
          check.report(
            "union-members",
            "Union type \"\(name)\" can only include type \"\(check.text(member.symbol))\" once.",
            at: spans())
        } else if member.kind != .object {
          check.report(
            "union-members",
            "Union type \"\(name)\" can only include Object types, it cannot include "
              + "\"\(check.text(member.symbol))\".", at: spans())
        }
      }
    }
  }
}
