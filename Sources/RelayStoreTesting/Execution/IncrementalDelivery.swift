import GraphQLLanguage
import RelayStore

/// The delivery of one response in parts.
///
/// Each part is executed in its own task, after `beforePart` has returned for it. The task that
/// calls ``run()`` sends the payloads, one part each, in order of completion.
struct IncrementalDelivery: Sendable {
  let context: ExecutionContext
  let format: IncrementalFormat
  let workspace: Workspace
  let beforePart: @Sendable (IncrementalPart) async throws -> Void
  /// A closure that sends a payload.
  let send: @Sendable (JSONValue) async throws -> Void

  /// The outcome of a task.
  private enum Event: Sendable {
    case released(DeferredFragment)
    case executed(DeferredGroup, PartResult)
    case item(StreamedList, index: Int, PartResult)
  }

  private typealias Tasks = ThrowingTaskGroup<Event, any Error>

  /// Executes the operation and sends every payload.
  ///
  /// - Throws: The errors of `beforePart` and `send`; `CancellationError` if the task is cancelled.
  func run() async throws {
    let execution = Execution(context)
    let data = try await execution.run()
    var graph = IncrementalGraph()
    _ = graph.add(execution.deferred, parents: [])
    let opened = graph.open()
    var payload = JSONObject()
    if !execution.errors.isEmpty { payload["errors"] = execution.errors.json(in: workspace) }
    payload["data"] = data
    if !opened.isEmpty {
      if format == .payloads2023 { payload["pending"] = IncrementalPayload.json(opened) }
      payload["hasNext"] = true
    }
    try await send(.object(payload))
    guard !opened.isEmpty else { return }
    try await withThrowingTaskGroup(of: Event.self) { [graph] tasks in
      var graph = graph
      begin(opened, &tasks)
      while graph.openCount > 0, let event = try await tasks.next() {
        try await handle(event, &graph, &tasks)
      }
      tasks.cancelAll()
    }
  }

  private func handle(
    _ event: Event, _ graph: inout IncrementalGraph, _ tasks: inout Tasks
  ) async throws {
    switch event {
    case .released(let fragment):
      execute(graph.release(fragment), &tasks)
      try await deliver([fragment], &graph, &tasks)
    case .executed(let group, let result):
      execute(graph.finish(group, result), &tasks)
      try await deliver(group.fragments, &graph, &tasks)
    case .item(let list, let index, let result):
      try await deliver(list, index, result, &graph, &tasks)
    }
  }

  // MARK: - Tasks

  private func begin(
    _ opened: [(part: IncrementalGraph.Part, id: Int)], _ tasks: inout Tasks
  ) {
    for (part, _) in opened {
      switch part {
      case .fragment(let fragment):
        let part = IncrementalPart(
          label: fragment.label, path: fragment.path, isStreamItem: false)
        tasks.begin { [beforePart] in
          try await beforePart(part)
          return .released(fragment)
        }
      case .list(let list): begin(list, itemAt: list.start, &tasks)
      }
    }
  }

  private func begin(_ list: StreamedList, itemAt index: Int, _ tasks: inout Tasks) {
    let part = IncrementalPart(
      label: list.label, path: list.path.appending(.index(index)), isStreamItem: true)
    tasks.begin { [beforePart, context] in
      try await beforePart(part)
      return .item(
        list, index: index, try await Execution(context).run(list, itemAt: index))
    }
  }

  private func execute(_ groups: [DeferredGroup], _ tasks: inout Tasks) {
    for group in groups {
      tasks.begin { [context] in .executed(group, try await Execution(context).run(group)) }
    }
  }

  // MARK: - Payloads

  /// Sends a payload for each complete fragment.
  private func deliver(
    _ fragments: [DeferredFragment], _ graph: inout IncrementalGraph, _ tasks: inout Tasks
  ) async throws {
    for fragment in fragments {
      guard let completed = graph.complete(fragment), let id = graph.id(of: fragment) else {
        continue
      }
      var payload = IncrementalPayload()
      payload.completed = [(id, completed.errors)]
      payload.entries = completed.groups.map { group, result, target in
        let subPath = group.object.path.components.dropFirst(target.path.components.count)
        return IncrementalPayload.Entry(
          label: fragment.label, path: group.object.path, data: result.data, errors: result.errors,
          isItem: false,
          target: (graph.id(of: target) ?? id, ResponsePath(Array(subPath))))
      }
      if let errors = completed.errors, format != .payloads2023 {
        payload.entries = [
          IncrementalPayload.Entry(
            label: fragment.label, path: fragment.path, data: nil, errors: errors, isItem: false)
        ]
      }
      try await send(payload, &graph, &tasks)
    }
  }

  /// Sends an item's payload. If a non-null item fails, it is the last one of the list.
  private func deliver(
    _ list: StreamedList, _ index: Int, _ result: PartResult, _ graph: inout IncrementalGraph,
    _ tasks: inout Tasks
  ) async throws {
    guard let id = graph.id(of: list) else { return }
    let isLast = result.data == nil || index + 1 == list.items.count
    var payload = IncrementalPayload()
    if result.data != nil || format != .payloads2023 {
      payload.entries = [
        IncrementalPayload.Entry(
          label: list.label, path: list.path.appending(.index(index)), data: result.data,
          errors: result.errors, isItem: true, target: (id, []))
      ]
    }
    if isLast {
      graph.close(list)
      payload.completed = [(id, result.data == nil ? result.errors : nil)]
    }
    _ = graph.add(result.deferred, parents: [])
    try await send(payload, &graph, &tasks)
    if !isLast { begin(list, itemAt: index + 1, &tasks) }
  }

  /// Sends a payload together with the parts that it opens, then starts these parts.
  private func send(
    _ payload: IncrementalPayload, _ graph: inout IncrementalGraph, _ tasks: inout Tasks
  ) async throws {
    var payload = payload
    payload.opened = graph.open()
    payload.hasNext = graph.openCount > 0
    try await send(payload.json(in: format, workspace))
    begin(payload.opened, &tasks)
  }
}

extension ThrowingTaskGroup where Failure == any Error {
  /// Adds a task that runs on the calling thread until it first suspends, if the system supports
  /// that. Parts that never wait then complete in the order in which they start.
  fileprivate mutating func begin(
    _ body: sending @escaping @isolated(any) () async throws -> ChildTaskResult
  ) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      addImmediateTask(operation: body)
      return
    }
    addTask(operation: body)
  }
}
