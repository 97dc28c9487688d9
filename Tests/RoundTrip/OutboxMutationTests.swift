import Testing

/// The tests run the Swift compiler, so the suite has 10 minutes.
@Suite("Mutations that the outbox does not store", .timeLimit(.minutes(10)))
struct OutboxMutationTests {
  @Test("committing a private mutation to the outbox is a compile error that names @noPersist")
  func privateMutation() async throws {
    func problems(_ kind: String) async throws -> String {
      let text = """
        import RelayPersistence
        public import RelayStore
        public func store<Mutation: \(kind)>(
          _ mutation: Mutation, in environment: RelayEnvironment
        ) async throws {
          try await environment.commit(mutation, durability: .outbox())
        }
        """
      return try await SwiftProgram.check([("Commit.swift", text)], using: "")
    }
    #expect(try await problems("GraphQLMutating").contains("elements with @noPersist"))
    #expect(try await problems("GraphQLMutation") == "")
  }
}
