/// A reader of published versions, for one thread at a time.
///
/// It shows a version until it reads another one.
final class VersionReader {
  /// The reader and what it reads. A struct with mutating methods: a class that reads a property of
  /// its source may copy the source, which retains each of its components.
  fileprivate struct Contents {
    var reader = RecordReader()
    var source: LayeredSource
  }

  @exclusivity(unchecked) private var contents: Contents
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
    contents = Contents(source: source)
    contents.reader.fastPath.hasOwnLayouts = !isFirst
  }

  func read(
    _ target: ReadTarget, _ bindings: PlanBindings, _ effects: inout ReadEffects
  ) -> RowSnapshot {
    version?._withUnsafeGuaranteedRef { contents.read(target, of: $0, bindings, &effects) }
      ?? RowSnapshot()
  }

  /// Reads a record for an observer.
  ///
  /// - Returns: An observer, not registered yet; `nil` if it has to be created under the store's
  ///   lock, because the record has no index yet, or because the app has live fields, whose
  ///   sequences the store starts.
  func observer(
    of id: DataID, _ plan: SelectionPlan, in scope: VariableScope, _ callback: ObserverCallback,
    _ bindings: PlanBindings, _ effects: inout ReadEffects
  ) -> ObserverTable.Observer? {
    version?._withUnsafeGuaranteedRef {
      contents.observer(of: id, plan, in: scope, callback, reading: $0, bindings, &effects)
    }
  }

  /// Releases the version, which may be the last owner of an overlay.
  func clear() { contents.clear() }
}

extension VersionReader.Contents {
  /// Shows a version.
  private mutating func show(_ version: PublishedVersion) {
    if version.contents.number == reader.version { return }
    source.show(version.contents)
    reader.version = version.contents.number
  }

  fileprivate mutating func read(
    _ target: ReadTarget, of version: PublishedVersion, _ bindings: PlanBindings,
    _ effects: inout ReadEffects
  ) -> RowSnapshot {
    show(version)
    return reader.read(target, from: &source, revision: version.revision, bindings, &effects)
  }

  fileprivate mutating func observer(
    of id: DataID, _ plan: SelectionPlan, in scope: VariableScope, _ callback: ObserverCallback,
    reading version: PublishedVersion, _ bindings: PlanBindings, _ effects: inout ReadEffects
  ) -> ObserverTable.Observer? {
    show(version)
    guard let index = source.index(of: source.resolved(id)),
      source.derivations?.hasLiveFields != true
    else {
      return nil
    }
    let bound = reader.bind(plan, in: scope, isRoot: id == .root, bindings, names: source.keys)
    var budget = ReadBudget(source.readLimits)
    reader.isForObserver = true
    defer { reader.isForObserver = false }
    var snapshot = reader.read(index, bound, from: &source, within: &budget)
    // Only the store can give them an index.
    if !reader.takeUnknownIDs().isEmpty { return nil }
    source.complete(&snapshot, of: bound, at: index, revision: version.revision, with: &reader)
    let observer = ObserverTable.Observer(
      of: index, id: id, plan: bound, callback, snapshot: consume snapshot)
    if let privacy = plan.privacy { effects.add(privacy) }
    effects.add((observer.snapshot, plan, id))
    return observer
  }

  fileprivate mutating func clear() {
    if reader.version != nil { source.show(LayeredSource.Version(number: 0)) }
    reader.version = nil
    // Variables may be private, and a reset may have ended their use.
    reader.recentPlans = []
  }
}
