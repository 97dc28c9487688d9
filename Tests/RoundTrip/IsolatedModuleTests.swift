import GraphQLLanguage
import RelayCompiler
import Testing

/// A module with main actor isolation by default: the compiler must accept exactly what Swift
/// accepts.
///
/// The tests run the Swift compiler, so the suite has 10 minutes.
@Suite(.timeLimit(.minutes(10))) struct IsolatedModuleTests {
  private static let schema = """
    scalar Money scalar Unit
    type Query { price(scale: Int, unit: Unit, limit: Money): Money unit: Unit }
    """

  private static let document = """
    query PriceQuery($unit: Unit, $limit: Money) { unit price(unit: $unit, limit: $limit) ...F }
    fragment F on Query @argumentDefinitions(x: {type: "Int!", provider: "Media.Scale"}) {
      scaled: price(scale: $x)
    }
    """

  /// Custom scalars as an app would write them, without isolation.
  private static let scalars = """
    import RelayStore

    public struct Cents: CustomScalar {
      public var cents: Int
      public init(json: JSONValue) throws { cents = try Int(json: json) }
      public var json: JSONValue { cents.json }
    }

    public enum PriceUnit: String, CustomScalar {
      case euro, dollar
      public init(json: JSONValue) throws { self = json.string == "euro" ? .euro : .dollar }
      public var json: JSONValue { .string(rawValue) }
    }
    """

  private func compile(_ swift: String...) -> Compilation {
    let sources = [("Price.graphql", Self.document)] + swift.map { ("Provider.swift", $0) }
    return Compiler.compile(
      CompilationInput(
        sources: sources.map { path, text in
          .init(path: path, bytes: ContiguousArray(text.utf8), output: path + ".graphql.swift")
        },
        schema: [Source(path: "schema.graphql", bytes: ContiguousArray(Self.schema.utf8))],
        options: EmissionOptions(customScalarTypes: ["Money": "Cents", "Unit": "PriceUnit"])))
  }

  /// Returns the Swift compiler's output for the generated code and the provider.
  private func check(_ provider: String) async throws -> String {
    let files = compile().files.map { (name: $0.name, text: $0.text) }
    return try await SwiftProgram.check(
      files + [("Scalars.swift", Self.scalars), ("Provider.swift", provider)],
      using:
        "import Types\npublic func cents(_ data: PriceQuery.Data) -> Int? { data.price?.cents }")
  }

  @Test(
    "custom scalars and nonisolated providers compile as they are",
    arguments: [
      "public enum Media { public nonisolated enum Scale { public static func get() -> Int { 2 } } }",
      "public enum Media { public enum Scale { public nonisolated static func get() -> Int { 2 } } }",
    ])
  func accepted(_ provider: String) async throws {
    #expect(compile(provider).diagnostics.map(\.message) == [])
    let problems = try await check(provider)
    #expect(problems == "", "\(problems.prefix(3000))")
  }

  @Test(
    "a provider that Swift would refuse in generated code is refused at the tag",
    arguments: [
      "public enum Media { public enum Scale { public static func get() -> Int { 2 } } }",
      "public nonisolated enum Media {}\npublic extension Media { enum Scale { static func get() -> Int { 2 } } }",
    ])
  func refused(_ provider: String) async throws {
    #expect(compile(provider).diagnostics.map(\.rule) == ["provided-variables"])
    #expect(try await check(provider).contains("main actor-isolated static method 'get()'"))
  }
}
