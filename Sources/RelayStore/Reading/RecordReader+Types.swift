/// The types of records.
extension RecordReader {
  /// Returns whether the record's type is, or implements, the type of a condition.
  mutating func satisfies(
    _ condition: TypeCondition, record: Record, at index: RecordIndex, plan: BoundPlan, slot: Int
  ) -> Bool {
    // A concrete plan's type name replaces the record's, because the root record's type name is
    // `__Root`.
    guard let typeName = plan.plan.isAbstract ? record.typeName : plan.plan.typeName else {
      reportMissing(Hole(record: index, field: nil))
      return false
    }
    if !condition.isAbstract { return typeName == condition.typeName }
    let (isSatisfied, schema) = source.satisfies(
      typeName, condition.typeName, discriminator: plan.keys[slot], types: plan.plan.types)
    if let schema { markSeen(schema) }
    if let isSatisfied { return isSatisfied }
    reportMissing(Hole(record: index, field: nil))
    return false
  }

  mutating func typename(
    of record: Record, at index: RecordIndex, plan: BoundPlan
  ) -> RowSlot? {
    if !plan.plan.isAbstract { return RowSlot(.string(plan.plan.typeName)) }
    if let typeName = record.typeName { return RowSlot(.string(typeName)) }
    pass.path.append(.field("__typename"))
    defer { pass.path.removeLast() }
    return missingValue(isNullable: false, hole: Hole(record: index, field: nil))
  }
}
