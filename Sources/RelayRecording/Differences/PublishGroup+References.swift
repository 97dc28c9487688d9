import RelayStore

extension PublishGroup {
  /// Returns the publishes that have changed what an observer depends on, in their order; all of them
  /// if none has, so that a read is never without a cause.
  ///
  /// - Parameter seen: Returns the records that the observer depends on. It is called only if they
  ///   decide.
  /// - Complexity: O(*n*) in the records that the publishes of a batch have changed.
  func references(seen: () -> RecordList) -> [StoreTimeline.PublishReference] {
    let publishes = members
    if publishes.count == 1, publishes[0].extent == nil { return [publishes[0].reference(nil)] }
    let records = seen()
    let parts = publishes.map { $0.extent?.part(of: records) }
    let isConcerned = parts.map { $0?.isEmpty != true }
    let concernsAll = !isConcerned.contains(true)
    return publishes.indices.filter { isConcerned[$0] || concernsAll }
      .map { publishes[$0].reference(parts[$0]) }
  }
}

extension PublishGroup.Member {
  fileprivate func reference(_ part: PublishExtent.Part?) -> StoreTimeline.PublishReference {
    StoreTimeline.PublishReference(
      event: event, cause: cause.timelineCause,
      endedLayers: part?.endedLayers.map { Int(clamping: $0) } ?? [],
      isWritten: part.map { $0.isWritten || $0.endedLayers.isEmpty } ?? true)
  }
}

extension PublishCause {
  /// The cause as a timeline has it.
  var timelineCause: StoreTimeline.Cause {
    StoreTimeline.Cause(
      StoreTimeline.Cause.Kind(rawValue: kind.rawValue) ?? .other, operation: operation,
      request: request)
  }
}
