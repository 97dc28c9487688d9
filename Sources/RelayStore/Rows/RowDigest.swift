/// The digest of a row: a hash that is the same in every process.
///
/// Rows of one plan with equal digests have equal values, including the digits of numbers. The
/// probability of a collision is 2⁻⁶⁴. The member order of a custom scalar's JSON objects has no
/// effect.
struct RowDigest {
  /// The memoized digests by identity, as in ``RowHashing``.
  private var digests: [ObjectIdentifier: UInt64] = [:]
  private let hidden: PrivateFields

  private init(hidden: PrivateFields) { self.hidden = hidden }

  /// Returns the digest of a row.
  ///
  /// - Parameters:
  ///   - seed: A number to include in the hash.
  ///   - hidden: The types and fields to leave out of the hash.
  /// - Complexity: O(*n*) in the distinct rows and values.
  static func digest(
    of row: RowBox, seed: UInt64, hiding hidden: PrivateFields = PrivateFields()
  ) -> UInt64 {
    var (digest, checksum) = (RowDigest(hidden: hidden), Checksum(seed: seed))
    digest.combine(row, into: &checksum)
    return checksum.value
  }

  private mutating func combine(_ row: RowBox, into checksum: inout Checksum) {
    let slots = row.slots
    checksum.combine(UInt64(slots.count))
    if hidden.isEmpty {
      for slot in slots { combine(slot, into: &checksum) }
      return
    }
    let typeName = row.record?.typeName ?? row.plan.typeName
    if hidden.hasType(typeName) { return }
    for (slot, planned) in zip(slots, row.plan.slots) {
      if let field = planned.field, hidden.hasField(field.name, of: typeName) { continue }
      combine(slot, into: &checksum)
    }
  }

  private mutating func combine(_ slot: RowSlot, into checksum: inout Checksum) {
    switch slot.value {
    case .absent, .null: checksum.combine(0)
    case .selfReference, .spread: checksum.combine(1)
    case .bool, .int, .number, .string, .object, .array: combine(JSONValue(slot), into: &checksum)
    case .scalar(let value): combine(value.json, into: &checksum)
    case .row(let row):
      checksum.combine(2)
      if row.plan.hasLists {
        checksum.combine(digest(of: row))
      } else {
        combine(row, into: &checksum)
      }
    case .list(let list):
      checksum.combine(3)
      checksum.combine(UInt64(list.count))
      for chunk in list.chunks { for slot in chunk.slots { combine(slot, into: &checksum) } }
    case .failure(let errors):
      checksum.combine(4)
      checksum.combine(UInt64(errors.count))
      for error in errors {
        combine("\(error.kind) \(error.path) \(error.message)", into: &checksum)
      }
    }
  }

  private mutating func digest(of row: RowBox) -> UInt64 {
    if let digest = digests[row.identity] { return digest }
    var checksum = Checksum()
    combine(row, into: &checksum)
    digests[row.identity] = checksum.value
    return checksum.value
  }

  private func combine(_ value: JSONValue, into checksum: inout Checksum) {
    switch value {
    case .null: checksum.combine(0)
    case .bool(let value): checksum.combine(value ? 5 : 6)
    case .number(let number):
      checksum.combine(7)
      combine(number.digits, into: &checksum)
    case .string(let text):
      checksum.combine(8)
      combine(text, into: &checksum)
    case .array(let values):
      checksum.combine(9)
      checksum.combine(UInt64(values.count))
      for value in values { combine(value, into: &checksum) }
    case .object(let object):
      checksum.combine(10)
      checksum.combine(UInt64(object.count))
      for member in object.members.sorted(byBytes: \.key) {
        combine(member.key, into: &checksum)
        combine(member.value, into: &checksum)
      }
    }
  }

  private func combine(_ text: String, into checksum: inout Checksum) {
    var text = text
    text.withUTF8 { checksum.combine(UnsafeRawBufferPointer($0)) }
  }
}
