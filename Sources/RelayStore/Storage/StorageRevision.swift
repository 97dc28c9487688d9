/// A revision of a store with a storage, in one run of the program.
package struct StorageRevision: Hashable, Sendable {
  /// The run, by a random number; 0 for none.
  package var run: UInt64
  /// The revision of the store in that run.
  package var revision: UInt64

  package init(run: UInt64, revision: UInt64) {
    self.run = run
    self.revision = revision
  }

  /// Whether this revision was made after `stored`, by the run that stored it: a store that was loaded
  /// at `stored` has lost it.
  func wasLost(by stored: StorageRevision?) -> Bool {
    guard let stored, run != 0 else { return false }
    return run == stored.run && revision > stored.revision
  }
}

/// The run of a store with a storage.
package struct StorageRun: Sendable {
  /// The random number of the run.
  package let number = UInt64.random(in: 1 ... .max)
  /// The revision of what was loaded; `nil` if nothing was stored.
  package var loaded: StorageRevision?
}
