/// The limits of one read: a snapshot of a fragment or an operation, or all snapshots of a plural
/// fragment together.
///
/// Objects that are the target of several links are shared within a read. A value is therefore at
/// most as large as the records it was read from, times the depth of its selections; these limits
/// bound the rest.
public struct ReadLimits: Sendable, Hashable {
  /// The maximum number of list elements. A read that exceeds it has no data and an error of kind
  /// ``FieldError/Kind/limit``.
  public var rows: Int
  /// The maximum number of paths in `missing` and `errors`. A path counts once, and once more for
  /// every eight steps. A read that exceeds the limit keeps its data, omits the remaining paths,
  /// and adds an error of kind ``FieldError/Kind/limit``.
  public var paths: Int

  /// Creates limits: by default 4,000,000 list elements and 100,000 paths.
  public init(rows: Int = 4_000_000, paths: Int = 100_000) {
    self.rows = rows
    self.paths = paths
  }
}

extension FieldError {
  /// Creates the error for a read with more list elements than the limit.
  package init(moreRowsThan limit: Int, path: ResponsePath, owner: String) {
    self.init(
      kind: .limit,
      message:
        "The data has more than \(limit.counted("element")) of lists. Select less, or raise readLimits.rows of the store's configuration.",
      path: path, owner: owner)
  }

  /// Creates the error for a read with more missing or wrong fields than the limit.
  package init(morePathsThan limit: Int, owner: String = "") {
    self.init(
      kind: .limit,
      message:
        "The data has more than \(limit.counted("field")) missing or wrong. The rest is omitted; raise readLimits.paths of the store's configuration to see more.",
      path: [], owner: owner)
  }
}

/// The remaining budget of one read.
struct ReadBudget: Sendable {
  package var rows: Int
  package var paths: Int
  /// The initial budget.
  package let limits: ReadLimits

  package init(_ limits: ReadLimits) {
    self.limits = limits
    rows = limits.rows
    paths = limits.paths
  }
}
