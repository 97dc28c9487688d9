import RelayStore
import Testing

@Suite("Private elements named by the configuration", .timeLimit(.minutes(10)))
struct PrivateMutationTests {
  @Test("a mutation with a private argument has the protocol that keeps it out of the outbox")
  func mutations() {
    func isPrivate<Mutation: GraphQLMutation>(_ type: Mutation.Type) -> Bool {
      type is any GraphQLPrivateMutation.Type
    }
    #expect(isPrivate(EnterMutation.self))
    #expect(!isPrivate(RenameMutation.self))
  }
}
