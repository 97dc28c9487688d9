/// A revision of a persisted store, in one run of the program.
package struct PersistenceRevision: Hashable, Sendable {
  /// The random number of the run; 0 if there is none.
  package var run: UInt64
  /// The revision of the store in that run.
  package var revision: UInt64

  package init(run: UInt64, revision: UInt64) {
    self.run = run
    self.revision = revision
  }

  /// Whether this revision is newer than `stored`, which the same run persisted. A store loaded at
  /// `stored` has lost this revision.
  func wasLost(by stored: PersistenceRevision?) -> Bool {
    guard let stored, run != 0 else { return false }
    return run == stored.run && revision > stored.revision
  }
}

/// One run of a persisted store.
package struct PersistenceRun: Sendable {
  /// The random number of the run.
  package let number = UInt64.random(in: 1 ... .max)
  /// The revision that was loaded; `nil` if the disk had none.
  package var loaded: PersistenceRevision?
}
