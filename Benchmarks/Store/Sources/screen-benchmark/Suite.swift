import Allocations
import Measuring
import RelayStore

/// An assertion about a workload that failed.
struct Unexpected: Error {
  let what: String
}

/// The cases of the benchmark on a screen of `count` items.
@MainActor
struct Suite {
  let count: Int
  let payloads: Payloads
  private var query: TimelineQuery { TimelineQuery(first: count) }

  private func environment(_ transport: any Transport = NextResponse()) -> RelayEnvironment {
    RelayEnvironment(
      store: RecordStore(configuration: .init(releaseBufferSize: 0, garbageCollection: .manual)),
      transport: transport)
  }

  private func filled(_ bytes: [UInt8], over transport: any Transport = NextResponse()) throws
    -> RelayEnvironment
  {
    let environment = environment(transport)
    try environment.commitPayload(query, data: bytes)
    return environment
  }

  /// Runs every case once, or only the case `name`.
  func run(only name: String? = nil) async throws {
    let expected = try totals(payloads.selected)
    let cases: [(name: String, body: () async throws -> Void)] = [
      ("commit", { try commits(expected) }), ("read", { try reading(expected) }),
      ("mount", { try mounting(expected) }), ("models", { try models(expected) }),
      ("collect", { try collecting() }), ("cycle", { try cycle(expected) }),
      ("mutations", { try await mutations() }),
    ]
    for (caseName, body) in cases where name == nil || name == caseName {
      // All threads are measured, so the background first finishes the work of the case before, such
      // as releasing the rows of a screen.
      try await Task.sleep(for: .milliseconds(25))
      try await body()
    }
  }

  private func commits(_ expected: Totals) throws {
    for (name, bytes) in [
      ("selected", payloads.selected), ("sorted", payloads.sorted),
      ("shuffled", payloads.shuffled), ("pretty", payloads.pretty),
    ] {
      let environment = environment()
      try Samples.measureProcess("commit_\(name)") {
        try environment.commitPayload(query, data: bytes)
      }
      try expect(read(environment).totals == expected, "the \(name) payload's totals")
    }
  }

  private func expect(_ condition: Bool, _ what: String) throws {
    if !condition { throw Unexpected(what: what) }
  }

  private func totals(_ bytes: [UInt8]) throws -> Totals { try read(filled(bytes)).totals }

  private func read(_ environment: RelayEnvironment) -> Screen<Reading> {
    var screen = Screen(Reading(environment: environment))
    screen.show(environment.read(query).data)
    return screen
  }

  /// Mounts the screen: observes every fragment.
  private func mount(_ environment: RelayEnvironment, _ deliveries: Deliveries)
    -> Screen<Observing>
  {
    var screen = Screen(Observing(environment: environment, deliveries: deliveries))
    let (snapshot, observation) = environment.readAndObserve(query) { _ in
      deliveries.add(TimelineRow_item.self)
    }
    screen.renderer.observations.append(observation)
    screen.show(snapshot.data)
    return screen
  }

  private func reading(_ expected: Totals) throws {
    let environment = try filled(payloads.selected)
    let screen = Samples.measureProcess("read") { read(environment) }
    try expect(screen.totals == expected, "the totals of reading")
  }

  private func mounting(_ expected: Totals) throws {
    let environment = try filled(payloads.selected)
    let deliveries = Deliveries()
    let retention = environment.retain(query)
    let screen = Samples.measureProcess("mount") { mount(environment, deliveries) }
    try expect(screen.totals == expected, "the totals of mounting")
    try environment.commitPayload(query, data: payloads.selected)
    try expect(deliveries.takeCounts().isEmpty, "no delivery of the same payload")
    try Samples.measureProcess("refresh") {
      try environment.commitPayload(query, data: payloads.changed)
    }
    let counts = deliveries.takeCounts()
    try expect(
      counts == ["ArticleCard_article": 2, "PictureCard_picture": 1, "ReplyRow_reply": 1],
      "the deliveries of a refresh, which were \(counts)")
    // The rows are released by another thread.
    Samples.measureProcess("unmount") {
      Samples.measure("unmount_caller") {
        for handle in screen.renderer.observations { handle.cancel() }
      }
    }
    retention.release()
    Samples.measureProcess("collect_all") { _ = environment.store.collectGarbage() }
    try expect(environment.read(query).data == nil, "an empty store after a collection")
  }

  private func models(_ expected: Totals) throws {
    let environment = try filled(payloads.selected)
    var screen = Screen(Modelling(environment: environment))
    Samples.measureProcess("mount_models") { screen.show(environment.read(query).data) }
    try expect(screen.totals == expected, "the totals of the models")
  }

  private func collecting() throws {
    let environment = environment()
    try environment.commitPayload(TimelineQuery(first: 10), data: payloads.ten)
    let kept = environment.retain(TimelineQuery(first: 10))
    try environment.commitPayload(query, data: payloads.selected)
    Samples.measureProcess("collect_but_ten") { _ = environment.store.collectGarbage() }
    try expect(
      environment.read(TimelineQuery(first: 10)).data?.timeline.edges.count == 10,
      "the kept timeline")
    kept.release()
  }

  /// Commits, mounts, unmounts and collects.
  private func cycle(_ expected: Totals) throws {
    let environment = environment()
    let deliveries = Deliveries()
    var totals = Totals()
    try Samples.measureProcess("cycle") {
      try environment.commitPayload(query, data: payloads.selected)
      let retention = environment.retain(query)
      let screen = mount(environment, deliveries)
      for handle in screen.renderer.observations { handle.cancel() }
      totals = screen.totals
      retention.release()
      _ = environment.store.collectGarbage()
    }
    try expect(totals == expected, "the totals of the cycle")
  }

  private func mutations() async throws {
    let transport = NextResponse()
    let environment = try filled(payloads.selected, over: transport)
    let deliveries = Deliveries()
    let screen = mount(environment, deliveries)
    let start = Samples.processNow
    for like in payloads.likes {
      transport.body = Array(like.response.utf8)
      let article = LikeMutation.RawResponse.LikeArticlePayload_likeArticle.Article_article(
        id: like.article, isLiked: true, likeCount: like.likeCount)
      _ = try await environment.commit(
        LikeMutation(id: like.article),
        optimisticResponse: .init(likeArticle: .init(article: article)))
    }
    Samples.record("like", nanoseconds: (Samples.processNow - start) / UInt64(payloads.likes.count))
    let liked = payloads.likes.map(\.deliveries).reduce(0, +)
    var counts = deliveries.takeCounts()
    try expect(counts == ["ArticleCard_article": liked], "the deliveries of likes: \(counts)")
    let second = Samples.processNow
    for reply in payloads.replies {
      transport.body = Array(reply.response.utf8)
      _ = try await environment.commit(AddReplyMutation(article: reply.article, text: reply.text))
    }
    Samples.record(
      "reply", nanoseconds: (Samples.processNow - second) / UInt64(payloads.replies.count))
    let replied = payloads.replies.map(\.deliveries).reduce(0, +)
    counts = deliveries.takeCounts()
    try expect(counts == ["ReplyList_article": replied], "the deliveries of replies: \(counts)")
    for handle in screen.renderer.observations { handle.cancel() }
  }

  /// Measures the first commit and the first mount of a process.
  func first() throws {
    let environment = environment()
    try Samples.measureProcess("first_commit") {
      try environment.commitPayload(query, data: payloads.selected)
    }
    let screen = Samples.measureProcess("first_mount") { mount(environment, Deliveries()) }
    try expect(screen.totals.fragments > count, "the fragments of the first mount")
  }

  /// Prints the bytes per item of a mounted screen, and its totals.
  func memory() throws {
    let bytes = payloads.selected
    _ = try totals(bytes)
    let before = allocated_bytes()
    let environment = try filled(bytes)
    let screen = mount(environment, Deliveries())
    let perItem = (allocated_bytes() - before) / count
    print(
      "MEMORY bytes_per_item=\(perItem) fragments=\(screen.totals.fragments)",
      "scalars=\(screen.totals.scalars) checksum=\(screen.totals.checksum)")
  }
}
