/// How much one read gives: a snapshot of a fragment or an operation, or the snapshots of a plural fragment together.
///
/// Objects that links lead to more than once are shared inside a read, so that a value is not larger than the
/// records it was read from times the depth of its selections. The limits are for what is left.
public struct ReadLimits: Sendable, Hashable {
  /// The most elements of lists. A read of more has no data, and an error of kind ``FieldError/Kind/limit``.
  public var rows: Int
  /// The most paths in `missing` and `errors`; a path counts once more for every eight steps. Where there are more, the data
  /// stays, the rest of them is left out, and `errors` has one of kind ``FieldError/Kind/limit``.
  public var paths: Int

  public init(rows: Int = 4_000_000, paths: Int = 100_000) {
    self.rows = rows
    self.paths = paths
  }
}

extension FieldError {
  /// The error of a read with more elements of lists than the limit.
  package init(moreRowsThan limit: Int, path: ResponsePath, owner: String) {
    self.init(
      kind: .limit,
      message:
        "The data has more than \(limit) elements of lists. Select less, or raise readLimits.rows of the store's configuration.",
      path: path, owner: owner)
  }

  /// The error of a read in which more fields are missing or wrong than the limit.
  package init(morePathsThan limit: Int, owner: String = "") {
    self.init(
      kind: .limit,
      message:
        "More than \(limit) fields are missing or wrong. The rest is left out; readLimits.paths of the store's configuration says how many are told.",
      path: [], owner: owner)
  }
}

/// What is left of the limits of one read.
package struct ReadBudget: Sendable {
  package var rows: Int
  package var paths: Int
  /// What there was at first.
  package let limits: ReadLimits

  package init(_ limits: ReadLimits) {
    self.limits = limits
    rows = limits.rows
    paths = limits.paths
  }
}
