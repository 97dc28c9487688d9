/// A reader of published versions, for one thread at a time.
///
/// It shows a version until it reads another one.
final class VersionReader {
  private var reader = RecordReader()
  private var source: LayeredSource
  /// The number of the version that `source` shows.
  private var number: UInt64?
  /// The version that is being read. It has a reader, so its owner retains it.
  @exclusivity(unchecked) var version: Unmanaged<PublishedVersion>?
  /// The thread that has used the reader last.
  @exclusivity(unchecked) var thread: ThreadIdentity?
  /// The next idle reader.
  @exclusivity(unchecked) var next: Unmanaged<VersionReader>?

  /// - Parameters:
  ///   - source: A source that reads versions.
  ///   - isFirst: Whether the store has no other reader.
  init(_ source: LayeredSource, isFirst: Bool) {
    self.source = source
    reader.fastPath.hasOwnLayouts = !isFirst
  }

  func read(
    _ target: ReadTarget, _ bindings: PlanBindings, _ effects: inout ReadEffects
  ) -> RowSnapshot {
    guard let revision = showVersion() else { return RowSnapshot() }
    return reader.read(target, from: &source, revision: revision, bindings, &effects)
  }

  /// Shows the version that is being read, and returns its revision.
  private func showVersion() -> UInt64? {
    version?._withUnsafeGuaranteedRef { version in
      if version.contents.number != number {
        source.show(version.contents)
        number = version.contents.number
      }
      return version.revision
    }
  }

  /// Reads a record for an observer.
  ///
  /// - Returns: The record's index, the bound plan and the snapshot; `nil` if the observer has to be
  ///   added under the store's lock, because the record has no index yet, or because the app has
  ///   live fields, whose sequences the store starts.
  func readForObserver(
    _ id: DataID, _ plan: SelectionPlan, in scope: VariableScope, _ bindings: PlanBindings,
    _ effects: inout ReadEffects
  ) -> (index: RecordIndex, plan: BoundPlan, snapshot: RowSnapshot)? {
    guard let revision = showVersion(), let index = source.index(of: id),
      source.derivations?.hasLiveFields != true
    else { return nil }
    let bound = reader.bind(plan, in: scope, isRoot: id == .root, bindings, names: source.keys)
    var budget = ReadBudget(source.readLimits)
    reader.isForObserver = true
    defer { reader.isForObserver = false }
    var snapshot = reader.read(index, bound, from: &source, within: &budget)
    source.complete(&snapshot, of: bound, at: index, revision: revision, with: &reader)
    if let privacy = plan.privacy { effects.add(privacy) }
    effects.add((snapshot, plan, id))
    return (index, bound, snapshot)
  }

  /// Releases the version, which may be the last owner of an overlay.
  func clear() {
    if number != nil { source.show(LayeredSource.Version(number: 0)) }
    number = nil
    // Variables may be private, and a reset may have ended their use.
    reader.recentPlans.removeAll(keepingCapacity: true)
  }
}
