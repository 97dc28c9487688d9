extension SchemaRules {
  /// Requires the members of unions to be distinct object types.
  static let unions: SchemaRule = { check in
    for type in check.types where type.kind == .union {
      let name = check.text(type.symbol)
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
