/// The objects that keep a store's data alive, identified by the names of their definitions.
package struct StoreHolders: Sendable {
  /// The fragment or operation of each observer, oldest first.
  package var observers: [String]
  /// The retained operations with their variables, sorted by name.
  package var retained: [(name: String, variables: JSONObject)]
  /// The ids of the optimistic updates, in the order of their layers.
  package var optimisticUpdates: [UInt64]
  /// The operations whose responses are arriving in parts, sorted by name.
  var receiving: [String]
  /// The live derived fields whose sequences are being iterated, each with its record, oldest
  /// first.
  package var liveFields: [(name: String, record: DataID)]
}

extension RecordStore {
  /// The objects that keep data alive; ``statistics`` has their counts.
  package var holders: StoreHolders {
    state.withLock { state in
      let observers =
        state.observers.observers.compactMap { $0 }.sorted(byNumber: \.ordinal)
        .map(\.plan.plan.owner)
      return StoreHolders(
        observers: observers
          + state.replicas.sorted(byNumber: \.key).map(\.value.bound.plan.owner),
        retained: state.retention.entries.filter { $0.value.count > 0 }
          .map { ($0.key.name, $0.key.variables) }.sorted(byBytes: \.0),
        optimisticUpdates: state.optimistic.all.map(\.id),
        receiving: state.receiving.values.map(\.name).sorted(),
        liveFields: state.live.names.map { ($0.field, state.source.id(of: $0.record) ?? .root) })
    }
  }
}
