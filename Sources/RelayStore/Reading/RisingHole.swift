/// A value that may not be null and is, on its way up to the nearest that may be.
struct RisingHole {
  let path: ResponsePath
  /// Whether it is the link to a record that was deleted on the client: a list reads on without the element.
  var isDeletion = false
}

extension RecordReader {
  /// Something that should be there and is not.
  ///
  /// - Parameter isAbsent: Whether it is not in the store, neither null nor of another kind.
  mutating func hole(isNullable: Bool, isAbsent: Bool = false) -> RowSlot? {
    miss(isAbsent: isAbsent)
    if isNullable { return RowSlot(.null) }
    rise()
    return nil
  }

  /// A link to a record that was deleted on the client: `nil` where the schema allows no null there, to be left out of
  /// the nearest list whose elements may not be null.
  mutating func deleted(_ index: RecordIndex, isNullable: Bool) -> RowSlot? {
    result.hasDeletedLinks = true
    saw(index)
    if isNullable { return RowSlot(.null) }
    miss(isAbsent: false)
    rise(isDeletion: !source.deletedRecordsBubble)
    return nil
  }

  /// Notes that what is read is `nil` and may not be null.
  mutating func rise(isDeletion: Bool = false) {
    if mayRise(isDeletion: isDeletion) {
      rising = RisingHole(path: ResponsePath(path), isDeletion: isDeletion)
    }
  }

  /// Lets a hole rise that was found before.
  mutating func rise(_ hole: RisingHole) {
    if mayRise(isDeletion: hole.isDeletion) { rising = hole }
  }

  private func mayRise(isDeletion: Bool) -> Bool {
    rising == nil || rising?.isDeletion == true && !isDeletion
  }

  /// A null: as such where the schema allows it, else a hole.
  mutating func null(_ field: PlanField, level: Int) -> RowSlot? {
    field.type.isNullable[level] ? RowSlot(.null) : hole(isNullable: false)
  }
}
