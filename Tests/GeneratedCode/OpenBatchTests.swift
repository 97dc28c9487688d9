import Foundation
import RelayStore
import RelayStoreTesting
import Testing

/// Reads and deliveries of other threads' commits while one thread has an open batch.
@Suite("Open batches and other threads", .timeLimit(.minutes(1)))
struct OpenBatchTests {
  private func known() throws -> RelayEnvironment {
    try environment(
      KindsQuery(),
      """
      {"account": {"id": "a", "nick": "ann", "visits": 1, "emails": [], "owner": null,
        "friends": [{"id": "p", "name": "Ann"}, {"id": "q", "name": "Bob"}]}, "price": "1.50"}
      """)
  }

  private func text(_ data: KindsQuery.Data?) -> String {
    let names = data?.account?.friends.map(\.name) ?? []
    return "\(data?.account?.nick ?? "-"): \(names.joined(separator: ","))"
  }

  /// Runs `body` on a new thread, and waits until it returns.
  private func onOtherThread(_ body: @escaping @Sendable () throws -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? body()
      done.signal()
    }
    done.wait()
  }

  private func change(_ environment: RelayEnvironment) throws {
    try environment.batch {
      try environment.commitUpdate { try $0["p"]?.setValue("Eve", for: "name") }
      onOtherThread {
        try environment.commitUpdate { try $0["a"]?.setValue("tom", for: "nick") }
      }
    }
  }

  @Test("an observer notified of another thread's commit also reads the open batch's changes")
  func observer() throws {
    let environment = try known()
    let delivered = Recorded()
    let observation = environment.readAndObserve(KindsQuery()) { delivered.add(self.text($0.data)) }
      .observation
    try change(environment)
    #expect(text(environment.read(KindsQuery()).data) == "tom: Eve,Bob")
    #expect(delivered.all.last == "tom: Eve,Bob")
    withExtendedLifetime(observation) {}
  }

  @Test("an observer of several fragments reads the open batch's changes in each of them")
  func several() throws {
    let environment = try known()
    let delivered = Recorded()
    let references = ["p", "q"].map { FragmentRef<Rename_person>(id: DataID($0)) }
    let observation = environment.observe(references) { snapshot in
      delivered.add(snapshot.data?.map { $0?.name ?? "-" }.joined(separator: ",") ?? "-")
    }
    // An observer of records that the other thread does not change is notified when the batch ends.
    let alone = Recorded()
    let other = environment.observe(references[0]) { alone.add($0.data?.name ?? "-") }
    try environment.batch {
      try environment.commitUpdate { try $0["p"]?.setValue("Eve", for: "name") }
      onOtherThread {
        try environment.commitUpdate { try $0["q"]?.setValue("Tom", for: "name") }
      }
      #expect(delivered.all.count == 1 && alone.all.isEmpty)
    }
    #expect(delivered.all.last == "Eve,Tom", "\(delivered.all)")
    #expect(alone.all == ["Eve"])
    withExtendedLifetime((observation, other)) {}
  }

  @Test("loads, models and iterators read the open batch's changes too") @MainActor
  func others() async throws {
    let environment = try known()
    let load = environment.load(KindsQuery(), policy: .storeOnly)
    let model = used(QueryModel(KindsQuery(), in: environment, policy: .storeOnly))
    var snapshots = environment.snapshots(of: KindsQuery()).makeAsyncIterator()
    _ = await snapshots.next()
    try change(environment)
    #expect(text(await snapshots.next()?.data) == "tom: Eve,Bob")
    try await environment.settle()
    #expect(text(load.state.data) == "tom: Eve,Bob" && text(model.data) == "tom: Eve,Bob")
  }
}
