import Testing

/// `GraphQLView` bit-casts between a row and the conforming struct, so only generated code may
/// conform.
///
/// The tests run the Swift compiler, so the suite has 10 minutes.
@Suite("Conformance to GraphQLView", .timeLimit(.minutes(10)))
struct ViewConformanceTests {
  private func problems(_ attribute: String) async throws -> String {
    let text = """
      \(attribute)public import RelayStore
      public final class Object: Sendable {}
      public struct Handwritten: GraphQLView {
        public let object: Object
      }
      """
    return try await SwiftProgram.check([("Handwritten.swift", text)], using: "")
  }

  @Test("a handwritten struct cannot conform; generated code can")
  func handwritten() async throws {
    #expect(try await problems("").contains("does not conform to protocol 'RowValue'"))
    #expect(try await problems("@_spi(GeneratedCode) ") == "")
  }
}
