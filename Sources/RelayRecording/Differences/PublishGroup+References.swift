import RelayStore

extension PublishGroup {
  /// Returns the publishes that changed data an observer depends on, in order. Falls back to all
  /// publishes if none did, so that each read has a cause.
  ///
  /// - Parameter seen: Returns the records that the observer depends on; called only if they
  ///   matter.
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
  /// The corresponding cause in a timeline.
  var timelineCause: StoreTimeline.Cause {
    StoreTimeline.Cause(
      StoreTimeline.Cause.Kind(rawValue: kind.rawValue) ?? .other, operation: operation,
      request: request)
  }
}
