import Foundation
import Measuring
import RelayPersistence
@_spi(GeneratedCode) import RelayStore

/// The cases of an outbox.
struct OutboxSuite {
  let directory: URL

  /// Adds entries whose requests never get a response. Before each one, writes 4 KiB to a file in
  /// the same directory.
  func add(_ rounds: Int) async throws {
    let persistence = Persistence.sqlite(directory: directory.appendingPathComponent("outbox"))
    let environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(garbageCollection: .manual, persistence: persistence)),
      transport: SilentTransport(), outbox: OutboxOptions(serverHonorsIdempotencyKeys: true))
    await environment.store.loaded()
    guard let outbox = environment.outbox else { throw StorageSuite.Unexpected.noData }
    let file = try FileHandle(forWritingTo: emptyFile())
    let block = Data(repeating: 1, count: 4_096)
    for round in 0...rounds {
      let start = Samples.wall
      try file.write(contentsOf: block)
      guard fdatasync(file.fileDescriptor) == 0 else { throw StorageSuite.Unexpected.noData }
      let middle = Samples.wall
      let entry = try await environment.commit(
        ScoreMutation(id: "item:1", score: round),
        optimisticResponse: .init(setScore: .init(id: "item:1", score: round)),
        durability: .outbox())
      let end = Samples.wall
      // The first round warms up.
      if round > 0 {
        Samples.record("sync", nanoseconds: middle - start)
        Samples.record("outbox", nanoseconds: end - middle)
      }
      // No writes may be pending when the next round starts.
      for await entries in outbox.observe() where entries.contains(where: { $0.state == .sending })
      {
        break
      }
      try await outbox.discard(entry.id)
    }
  }

  private func emptyFile() throws -> URL {
    let file = directory.appendingPathComponent("blocks")
    try Data().write(to: file)
    return file
  }
}

/// A transport that never responds.
struct SilentTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    try await Task.sleep(for: .seconds(3_600))
    return GraphQLResponse(body: [])
  }
}

/// A mutation that changes the score of an item.
struct ScoreMutation: GraphQLMutation, Hashable {
  static let __operation = OperationPlan(
    name: "ScoreMutation",
    text: "mutation ScoreMutation($id: ID!, $score: Int!) { … }", reader: Data.__plan,
    normalization: SelectionPlan(
      "Mutation{setScore(id:$id,score:$score) Item{id ID! __typename String! score Int!}}"))
  var id: String
  var score: Int
  var __variables: Variables { ["id": id, "score": score] }
}

extension ScoreMutation {
  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "Mutation{setScore(id:$id,score:$score) Item{id ID! score Int!}}")
    let __row: Row
  }

  struct RawResponse: GraphQLView, Hashable {
    let __row: Row
    init(setScore: Item) { self.init(ScoreMutation.__operation.normalization, setScore) }

    struct Item: GraphQLView, Hashable {
      let __row: Row
      init(id: String, score: Int) {
        self.init(ScoreMutation.__operation.normalization[0], id, "Item", score)
      }
    }
  }
}
