/// What a mirror has to know in the next run of a value that a writer has saved: a digest of the value,
/// and the revision of the store's storage that has it.
///
/// A writer saves the text of the stamp with the object, in one transaction. The text is the same in
/// every process.
public struct FragmentStamp: Hashable, Sendable, LosslessStringConvertible {
  /// The digest of the value; 0 for none.
  let digest: UInt64
  /// The revision in which the value was in the base of a store with a storage. `nil` without a storage,
  /// and while there were optimistic updates.
  let revision: StorageRevision?

  init(digest: UInt64, revision: StorageRevision?) {
    self.digest = digest
    self.revision = revision
  }

  /// Creates the stamp of a row.
  package init(_ row: RowStorage, _ hashing: FragmentHashing, revision: StorageRevision?) {
    self.init(digest: hashing.digest(of: row), revision: revision)
  }

  /// The stamp of an object whose value is not known. The object is written again when the store has
  /// it, and is deleted when the store knows that it was deleted.
  public static let outdated = FragmentStamp(digest: 0, revision: nil)

  /// Creates the stamp with this text; `nil` if the text is not that of a stamp.
  public init?(_ description: String) {
    let parts = description.utf8.split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { UInt64(Substring($0), radix: 16) }
    guard numbers.count == parts.count, numbers.count == 1 || numbers.count == 3 else { return nil }
    let revision =
      numbers.count == 3 ? StorageRevision(run: numbers[1], revision: numbers[2]) : nil
    self.init(digest: numbers[0], revision: revision)
  }

  /// The text to save: at most 50 digits and points.
  public var description: String {
    let numbers = [digest] + (revision.map { [$0.run, $0.revision] } ?? [])
    return numbers.map { String($0, radix: 16) }.joined(separator: ".")
  }
}

/// The rules by which the values of a fragment are hashed.
package struct FragmentHashing: Sendable {
  /// The hash of the selections, see ``SelectionPlan/readHash``.
  let selections: UInt64
  /// The types and fields of which nothing is hashed, because a stamp is saved.
  var hidden = PrivateFields()

  /// Returns the digest of a row, which is never 0.
  func digest(of row: RowStorage) -> UInt64 {
    let digest = RowDigest.digest(of: row, seed: selections, hiding: hidden)
    return digest == 0 ? 1 : digest
  }
}
