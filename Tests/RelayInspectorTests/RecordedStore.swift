import RelayRecording
import RelayStore
import RelayStoreTesting

/// An environment that records a timeline over a transport that the test controls.
struct RecordedStore {
  let environment: RelayEnvironment
  let server = MockTransport()

  init(
    _ options: TimelineOptions? = .init(), clock: any Clock<Duration> = ContinuousClock(),
    releaseBufferSize: Int = 10, telemetry: Telemetry? = nil
  ) {
    let store = RecordStore(
      configuration: .init(
        releaseBufferSize: releaseBufferSize, clock: clock, garbageCollection: .manual,
        timeline: options))
    environment = RelayEnvironment(store: store, transport: server, telemetry: telemetry)
  }

  func fill(_ todos: (id: String, text: String)...) throws {
    let todos = todos.map { ["id": .string($0.id), "text": .string($0.text)] as JSONValue }
    try environment.commitPayload(FeedQuery(), data: ["feed": .array(todos)])
  }

  func set(_ id: String, _ field: String, _ value: JSONValue) throws {
    try environment.commitUpdate { try $0[DataID(id)]?.setValue(value, for: field) }
  }

  /// The recorded events, with values.
  var events: [StoreTimeline.Event] { environment.timeline(redactingValues: false).events }

  var publishes: [StoreTimeline.Publish] {
    events.compactMap { if case .publish(let publish) = $0.content { publish } else { nil } }
  }

  var deliveries: [StoreTimeline.Delivery] {
    events.compactMap { if case .delivery(let delivery) = $0.content { delivery } else { nil } }
  }

  var requests: [StoreTimeline.Request] {
    events.compactMap { if case .request(let request) = $0.content { request } else { nil } }
  }
}

func todo(_ id: String) -> FragmentRef<TodoText> { FragmentRef(id: DataID(id)) }
