/// An event of a subscription; see
/// ``RelayEnvironment/subscribe(to:buffering:refetching:updater:context:)``.
public enum SubscriptionEvent<Data: GraphQLView>: Sendable {
  /// An event from the server, already written to the store. Its errors are in the snapshot's
  /// `responseErrors`; an event whose data is null has no data.
  case data(Snapshot<Data>)
  /// A change of the connection's state.
  case connection(ConnectionState)
  /// The connection was lost and is established again. Events in between may have been missed.
  case gap

  /// The snapshot of a server's event; `nil` for any other event.
  public var snapshot: Snapshot<Data>? {
    if case .data(let snapshot) = self { snapshot } else { nil }
  }

  /// The data of a server's event; `nil` for any other event, and if the data is null.
  public var data: Data? { snapshot?.data }
}

/// How many events a subscription buffers for a consumer that is slower than the server. The store
/// receives the data of every event in any case.
public enum SubscriptionBuffering: Sendable, Hashable {
  /// The newest data, the newest state of the connection, and whether there was a gap.
  case newest
  /// All events, up to a limit. When the limit is exceeded, the sequence ends with a ``RelayError``
  /// of code `overflow` after the events in the buffer.
  case all(limit: Int)
}

/// An event of a subscription without the type of its data.
enum LiveEvent: Sendable {
  case data(FetchedData)
  case connection(ConnectionState)
  case gap
}

extension SubscriptionEvent {
  init(_ event: LiveEvent) {
    switch event {
    case .data(let fetched):
      var snapshot = Snapshot<Data>(fetched.row)
      snapshot.responseErrors = fetched.response.errors
      snapshot.responseExtensions = fetched.response.extensions
      self = .data(snapshot)
    case .connection(let state): self = .connection(state)
    case .gap: self = .gap
    }
  }
}
