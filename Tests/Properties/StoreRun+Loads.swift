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

/// A load of the store, and the model's expectations of it.
struct ModelLoad {
  let operation: Int
  let policy: FetchPolicy
  let load: QueryLoad
  /// The snapshot that the load shows.
  var shown: ModelSnapshot
  /// Whether data has been missing since the load started, so that it may have a request in flight.
  var lackedData = false
}

extension StoreRun {
  /// Loads an operation. The load must send a request unless the operation is available and can be
  /// read from the store.
  func load(_ number: Int, operation: Int, policy: FetchPolicy) -> String? {
    let plan = TestSelections.operations[operation]
    let request = OperationRequest(plan.operation, variables: [:], store: store, root: .root)
    let expected = ModelReader.read("client:root", plan.selection, from: model.visible)
    let isAvailable = model.freshness.check(operation, in: model.visible) == "available"
    retain(number, operation)
    let load = QueryLoad(
      request, in: RelayEnvironment(store: store, transport: SilentTransport()), policy: policy,
      options: LoadOptions())
    let mustFetch = policy == .storeOrNetwork && !(isAvailable && expected.data != nil)
    if mustFetch {
      markReached("load sends a request")
      let isLoading = load.current.isLoading
      load.end()
      release(number)
      return isLoading
        ? nil : "The load of operation \(operation) sends no request and has \(expected)."
    }
    loads[number] = ModelLoad(
      operation: operation, policy: policy, load: load, shown: expected)
    return load.current.isLoading
      ? "The load of operation \(operation) sends a request and has \(expected)." : nil
  }

  func endLoad(_ number: Int) {
    guard let ended = loads.removeValue(forKey: number) else { return }
    ended.load.end()
    release(number)
  }

  /// Compares the loads with the model. Without a request in flight, each load has data, or an
  /// error with a path. A request is sent only for missing data, and never under `storeOnly`.
  func compareLoads() -> String? {
    for (number, entry) in loads {
      let (operation, policy, load) = (entry.operation, entry.policy, entry.load)
      let (state, selection) = (load.current, TestSelections.operations[operation].selection)
      let expected = ModelReader.read(
        "client:root", selection, from: model.visible, after: entry.shown, of: compared)
      let found = state.row.map { ModelSnapshot($0) }
      let settled = ModelReader.read("client:root", selection, from: model.base)
      let lacksData = !expected.holes.isEmpty && !settled.holes.isEmpty && policy != .storeOnly
      loads[number]?.shown = expected
      if lacksData { loads[number]?.lackedData = true }
      if state.isLoading {
        markReached("load fetches what is missing")
        if !lacksData, !entry.lackedData {
          return "The load of operation \(operation) has a request, but has all of \(expected)."
        }
        if let found, found != expected {
          return "The load of operation \(operation) shows \(found) instead of \(expected)."
        }
        continue
      }
      if lacksData, model.layers.isEmpty, !entry.lackedData {
        return "The load of operation \(operation) has no request, and has \(expected)."
      }
      markReached("row of a load kept", if: expected.keepsRows)
      markReached("load with an error", if: state.error != nil)
      markReached("load with data", if: found?.data != nil)
      markReached(
        "load with missing data", if: found?.data != nil && found?.missing.isEmpty == false)
      markReached("client field", if: found?.data?.object?["theme"] == .null)
      if state.error == nil, found != expected || found?.data == nil {
        return
          "The load of operation \(operation) has \(found as Any) and no error; expected \(expected)."
      }
      if let error = state.error {
        if found?.data != nil { return "The load of operation \(operation) has data and \(error)." }
        if error.path.components.isEmpty { return "\(error) has no path." }
        if policy == .storeOrNetwork, expected.data != nil {
          return "The load of operation \(operation) has \(error), but \(expected) is available."
        }
      }
    }
    return nil
  }
}
