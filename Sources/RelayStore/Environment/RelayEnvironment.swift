/// A store and a way to the server: what an app holds to read, observe and change data.
///
/// Reads are synchronous and may be made from any thread. An environment is meant to live as long
/// as its user is signed in.
public final class RelayEnvironment: Sendable {
  /// The records.
  public let store: RecordStore
  /// The way to the server.
  public let transport: any Transport
  /// The executions of operations that have not ended.
  let executions: ExecutionTable
  /// The plans that read the ends of connections.
  let connectionEnds = ConnectionEndsPlans()

  public init(store: RecordStore = RecordStore(), transport: any Transport) {
    self.store = store
    self.transport = transport
    executions = ExecutionTable(store.deliveries)
  }

  /// What waits for time-outs, and between the requests of a poll.
  var clock: any Clock<Duration> { store.configuration.clock }
}
