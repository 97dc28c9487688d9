import RelayStore
import RelayStoreTesting
import Testing

@Suite("Operations without @raw_response_type", .timeLimit(.minutes(1)))
struct RawResponseTests {
  private static func environment(
    _ resolvers: [String: FieldResolver] = [:]
  ) throws -> RelayEnvironment {
    let base: [String: FieldResolver] = [
      "Query.me": { _ in ["global_id": "7", "name": "Ann"] },
      "Person.friends": { _ in nil },
      "Mutation.rename": { call in
        [
          "global_id": try .string(call.argument("global_id")),
          "name": try .string(call.argument("name")),
        ]
      },
    ]
    return RelayEnvironment(
      transport: try Backends.server(base.merging(resolvers) { _, new in new }))
  }

  private static let key = DataID("Person:7")

  private func name(_ environment: RelayEnvironment) -> String? {
    environment.read(MeQuery()).data?.me?.name
  }

  @Test("a mutation without a raw response type is committed and read")
  func commit() async throws {
    let environment = try Self.environment()
    _ = try await environment.fetch(MeQuery())
    let mutation = RenameMutation(id: "7", name: "Bea")
    #expect(mutation == RenameMutation(id: "7", name: "Bea") && mutation.name == "Bea")
    let snapshot = try await environment.commit(mutation)
    #expect(snapshot.data?.rename?.name == "Bea" && name(environment) == "Bea")
    let none = try await environment.commit(
      RenameMutation(id: "7", name: "Cid"), optimisticResponse: nil)
    #expect(none.data?.rename?.name == "Cid" && name(environment) == "Cid")
    #expect(RenameMutation.RawResponse.self == NoRawResponse.self)
  }

  @Test("a mutation without a raw response type accepts updaters, optimistic ones too")
  func updaters() async throws {
    let gate = Gate()
    let environment = try Self.environment([
      "Mutation.rename": { call in
        try await gate.wait()
        return ["global_id": "7", "name": try .string(call.argument("name"))]
      }
    ])
    _ = try await environment.fetch(MeQuery())
    let names = StreamRecorder(environment.snapshots(of: MeQuery()))
    try await environment.settle()
    let sending = Task {
      try await environment.commit(
        RenameMutation(id: "7", name: "Bea"),
        updater: { try $0[Self.key]?.setValue("server's", for: "Backend") },
        optimisticUpdater: { try $0[Self.key]?.setValue("Bea?", for: "name") })
    }
    _ = await names.first { $0.data?.me?.name == "Bea?" }
    gate.open()
    _ = try await sending.value
    try await environment.settle()
    #expect(await names.elements(3).map { $0.data?.me?.name } == ["Ann", "Bea?", "Bea"])
    #expect(environment.store.dump().contains(#""Backend":"server's""#))
  }

  @Test("a mutation without a raw response type is committed as a payload and by a model")
  @MainActor func payloadsAndModels() async throws {
    let environment = try Self.environment()
    _ = try await environment.fetch(MeQuery())
    try environment.commitPayload(
      RenameMutation(id: "7", name: "Bea"),
      data: ["rename": ["global_id": "7", "name": "Bea"]])
    #expect(name(environment) == "Bea")
    let model = MutationModel(RenameMutation.self, in: environment)
    let snapshot = try await model.commit(RenameMutation(id: "7", name: "Cid"))
    #expect(snapshot.data?.rename?.name == "Cid" && model.error == nil && !model.isInFlight)
    #expect(name(environment) == "Cid")
  }

  @Test("a mutation with @raw_response_type shows its raw response until the server's arrives")
  func marked() async throws {
    let gate = Gate()
    let environment = try Self.environment([
      "Mutation.rename": { call in
        try await gate.wait()
        return ["global_id": "7", "name": "Bea"]
      }
    ])
    _ = try await environment.fetch(MeQuery())
    let names = StreamRecorder(environment.snapshots(of: MeQuery()))
    try await environment.settle()
    let sending = Task {
      try await environment.commit(
        MarkedRenameMutation(id: "7", name: "Bea"),
        optimisticResponse: .init(rename: .init(global_id: "7", name: "Bea?")))
    }
    _ = await names.first { $0.data?.me?.name == "Bea?" }
    gate.open()
    _ = try await sending.value
    try await environment.settle()
    #expect(name(environment) == "Bea")
  }
}
