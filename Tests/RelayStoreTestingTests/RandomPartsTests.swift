import RelayStore
import RelayStoreTesting
import SeededRandom
import Testing

@Suite("Random responses in parts", .timeLimit(.minutes(1)))
struct RandomPartsTests {
  @Test(
    "the parts of a response, in any order, make up the response without parts",
    arguments: [IncrementalFormat.payloads2020, .payloads2022, .payloads2023])
  func assembled(format: IncrementalFormat) async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var documents = RandomParts(seed: seed)
    let turns = Locked(SeededGenerator(seed: seed))
    let server = try Library.server(RandomParts.resolvers, format: format) { _ in
      let count = turns.withLock { Int.random(in: 0...5, using: &$0) }
      for _ in 0..<count { await Task.yield() }
    }
    var partCount = 0
    for _ in 0..<80 {
      let document = documents.document()
      let payloads = Payloads()
      try await server.stream(Library.request(document), payloads.receive)
      let responses = payloads.responses
      let expected = try await server.respond(to: document)
      let assembled = AssembledParts(responses, format: format)
      partCount += responses.count - 1
      let comment: Comment = "seed \(seed): \(document)\n\(payloads.texts)\n\(expected)"
      try #require(assembled.problems.isEmpty, "\(assembled.problems) \(comment)")
      try #require(assembled.data == expected["data"], comment)
      if format == .payloads2023 {
        let count = AssembledParts.leaves(expected["data"] ?? nil)
        try #require(assembled.leafCount == count, comment)
      }
    }
    print("random parts: seed \(seed), \(format), \(partCount) parts")
    #expect(partCount > 80)
  }
}
