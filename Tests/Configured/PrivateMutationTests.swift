import RelayStore
import Testing

@Suite("Private elements named by the configuration", .timeLimit(.minutes(1)))
struct PrivateMutationTests {
  @Test("a mutation with a private argument has the protocol that keeps it out of the outbox")
  func mutations() {
    func isStorable<Mutation: GraphQLMutating>(_ type: Mutation.Type) -> Bool {
      type is any GraphQLMutation.Type
    }
    #expect(!isStorable(EnterMutation.self))
    #expect(isStorable(RenameMutation.self))
  }
}
