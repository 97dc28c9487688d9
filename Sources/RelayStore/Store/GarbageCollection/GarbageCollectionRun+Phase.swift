extension GarbageCollectionRun {
  /// The phases, in the order of their transitions. A phase with an index continues from that index
  /// in the next slice:
  ///
  ///     mark ──▶ link ──▶ sweep ──▶ types ──▶ drop ──▶ purge ──▶ shrinkBuckets ──▶ shrinkIndexes
  enum Phase {
    /// Marks the records that are reachable from the roots.
    case mark
    /// Adds the targets of marked records' links to ``linked``, and drops fields that no selection
    /// reaches.
    case link(Int)
    /// Sweeps the records that are not marked.
    case sweep(Int)
    /// Sweeps the type schema records of types without records.
    case types
    /// Drops the ids without incoming links. This follows the sweep of all garbage: until then
    /// garbage links to other garbage, and may become reachable again.
    case drop(Int)
    /// Removes the buckets of dropped ids.
    case purge(Int)
    /// Shrinks the tables, each in a separate slice.
    case shrinkBuckets, shrinkIndexes

    /// Advances to the next phase, or to a later index in this one.
    mutating func advance(to next: Phase) {
      assert(canAdvance(to: next), "A garbage collection cannot go from \(self) to \(next).")
      self = next
    }

    private func canAdvance(to next: Phase) -> Bool {
      switch (self, next) {
      case (.mark, .link(0)), (.link, .sweep(0)), (.sweep, .types), (.types, .drop(0)): true
      case (.drop, .purge(0)), (.purge, .shrinkBuckets), (.shrinkBuckets, .shrinkIndexes): true
      case (.link(let from), .link(let to)), (.sweep(let from), .sweep(let to)): to > from
      case (.drop(let from), .drop(let to)), (.purge(let from), .purge(let to)): to > from
      default: false
      }
    }
  }
}
