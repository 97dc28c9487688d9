/// The information about a saved value that a mirror needs in the next run: a digest of the value,
/// and the revision of the persisted store that has it.
///
/// A writer saves the stamp's string with the object, in one transaction. The string is the same in
/// every process.
public struct FragmentStamp: Hashable, Sendable, LosslessStringConvertible {
  /// The digest of the value; 0 for none.
  let digest: UInt64
  /// The revision in which a persisted store's base had the value; `nil` without a storage, and
  /// while there were optimistic updates.
  let revision: PersistenceRevision?

  init(digest: UInt64, revision: PersistenceRevision?) {
    self.digest = digest
    self.revision = revision
  }

  /// Creates the stamp of a row.
  package init(_ row: RowBox, _ hashing: FragmentHashing, revision: PersistenceRevision?) {
    self.init(digest: hashing.digest(of: row), revision: revision)
  }

  /// The stamp of an object whose value is unknown. The object is written again when the store has
  /// it, and deleted when the store knows that it was deleted.
  public static let outdated = FragmentStamp(digest: 0, revision: nil)

  /// Creates the stamp from its string; `nil` if the string is not a stamp.
  public init?(_ description: String) {
    let parts = description.utf8.split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { UInt64(Substring($0), radix: 16) }
    guard numbers.count == parts.count, numbers.count == 1 || numbers.count == 3 else { return nil }
    let revision =
      numbers.count == 3 ? PersistenceRevision(run: numbers[1], revision: numbers[2]) : nil
    self.init(digest: numbers[0], revision: revision)
  }

  /// The string to save: at most 50 digits and points.
  public var description: String {
    let numbers = [digest] + (revision.map { [$0.run, $0.revision] } ?? [])
    return numbers.map { String($0, radix: 16) }.joined(separator: ".")
  }
}

/// The rules for hashing the values of a fragment.
package struct FragmentHashing: Sendable {
  /// The hash of the selections; see ``SelectionPlan/readHash``.
  let selections: UInt64
  /// The types and fields to leave out of the hash, because stamps are saved.
  var hidden = PrivateFields()

  /// Returns the digest of a row; never 0.
  func digest(of row: RowBox) -> UInt64 {
    let digest = RowDigest.digest(of: row, seed: selections, hiding: hidden)
    return digest == 0 ? 1 : digest
  }
}
