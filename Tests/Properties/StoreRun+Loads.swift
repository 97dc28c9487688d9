@testable import RelayStore

/// A transport that does not respond until it is cancelled.
private struct SilentTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let (never, end) = AsyncStream<Void>.makeStream()
    for await _ in never {}
    end.finish()
    throw CancellationError()
  }
}

extension StoreRun {
  /// Loads an operation. The load must send a request unless the operation is available and can be
  /// read from the store.
  func load(_ number: Int, shape: Int, policy: FetchPolicy) -> String? {
    let plan = Shapes.operations[shape]
    let request = OperationRequest(plan.operation, variables: [:], store: store, root: .root)
    let expected = ModelReader.read("client:root", plan.selection, from: model.visible)
    let isAvailable = model.freshness.check(shape, in: model.visible) == "available"
    retain(number, shape)
    let load = QueryLoad(
      request, in: RelayEnvironment(store: store, transport: SilentTransport()), policy: policy,
      options: LoadOptions())
    let asks = policy == .storeOrNetwork && !(isAvailable && expected.data != nil)
    if asks {
      reach("load asks")
      let hasAsked = load.current.isLoading
      load.end()
      release(number)
      return hasAsked ? nil : "The load of \(shape) asks for nothing, and has \(expected)."
    }
    loads[number] = (shape, policy, load)
    return load.current.isLoading ? "The load of \(shape) asks, and has \(expected)." : nil
  }

  func endLoad(_ number: Int) {
    guard let held = loads.removeValue(forKey: number) else { return }
    held.load.end()
    release(number)
  }

  /// Compares the loads with the model. No request is in flight, so each has data, or an error with
  /// a path.
  func compareLoads() -> String? {
    for (shape, policy, load) in loads.values {
      let (state, selection) = (load.current, Shapes.operations[shape].selection)
      let expected = ModelReader.read("client:root", selection, from: model.visible)
      let found = state.row.map { ModelSnapshot($0) }
      reach("load fails", if: state.error != nil)
      reach("load shows", if: found?.data != nil)
      reach("load shows holes", if: found?.data != nil && found?.missing.isEmpty == false)
      reach("client field", if: found?.data?.object?["theme"] == .null)
      if state.error == nil, found != expected || found?.data == nil {
        return "The load of \(shape) has \(found as Any) and no error, not \(expected)."
      }
      if let error = state.error {
        if found?.data != nil { return "The load of \(shape) has data and \(error)." }
        if error.path.components.isEmpty { return "\(error) names no path." }
        if policy == .storeOrNetwork, expected.data != nil {
          return "The load of \(shape) has \(error), and \(expected) could be shown."
        }
      }
    }
    return nil
  }
}
