import RelayStore
import Testing

@Suite("Request contexts", .timeLimit(.minutes(1)))
struct RequestContextTests {
  private enum Log: RequestContextKey { typealias Value = String }
  private enum Resource: RequestContextKey { typealias Value = LoggingObject }

  /// An object whose `deinit` uses the context that it is stored in.
  private final class LoggingObject: Sendable {
    private let context: RequestContext

    init(_ context: RequestContext) { self.context = context }

    deinit { context[Log.self] = (context[Log.self] ?? "") + "released " }
  }

  @Test("a replaced value is released after the lock, so its deinit may use the context")
  func replacedValue() {
    let context = RequestContext()
    context[Resource.self] = LoggingObject(context)
    context[Resource.self] = LoggingObject(context)
    #expect(context[Log.self] == "released ")
    context[Resource.self] = nil
    #expect(context[Log.self] == "released released ")
  }
}
