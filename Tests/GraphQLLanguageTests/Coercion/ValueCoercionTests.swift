import Testing

@testable import GraphQLLanguage

@Suite("Value coercion", .timeLimit(.minutes(10))) struct ValueCoercionTests {
  private static let types = """
    type Query { a(k: Key, i: In, e: E, f: Float, n: Int, id: ID): Any }
    scalar Any enum E { A B } input Key @oneOf { a: Int b: Int }
    input In { n: Int = 42 list: [Int!] required: Boolean! e: E = A }
    """

  private func coercion() -> (ValueCoercion, (String) -> ResolvedType?, Schema) {
    let workspace = Workspace()
    let document = workspace.parse(Source(Self.types)).document
    let schema = Schema.build(from: [document], in: workspace)
    return (
      ValueCoercion(schema: schema),
      { TypeReference.parse($0, in: schema.symbols).flatMap(schema.resolve) }, schema
    )
  }

  private func literal(_ text: String, _ type: String) throws -> String? {
    let (coercion, resolve, schema) = coercion()
    let value = try #require(Value.parse(text, in: schema.symbols))
    return try coercion.value(of: value, as: #require(resolve(type)))?.description
  }

  @Test("literals become values: defaults added, single values made lists, numbers converted")
  func literals() throws {
    #expect(try literal("{ required: true }", "In") == #"{"n": 42, "required": true, "e": "A"}"#)
    #expect(try literal("3", "[[Int]]") == "[[3]]")
    #expect(try literal("3", "ID") == "\"3\"")
    #expect(try literal("3", "Float") == "3.0")
    #expect(try literal("{ a: [B, 1.5] }", "Any") == #"{"a": ["B", 1.5]}"#)
  }

  @Test("literals of another type have no value")
  func invalidLiterals() throws {
    for (text, type) in [
      ("{}", "In"), ("{ required: null }", "In"), ("{ required: true, no: 1 }", "In"), ("C", "E"),
      ("\"A\"", "E"), ("2147483648", "Int"), ("null", "Int!"), ("[1, null]", "[Int!]"),
      ("{ a: 1, b: 2 }", "Key"), ("{ a: null }", "Key"),
    ] {
      #expect(try literal(text, type) == nil, "\(text) as \(type)")
    }
  }

  @Test("run-time values are coerced, or all that is wrong with them is told with its path")
  func input() throws {
    let (coercion, resolve, _) = coercion()
    let type = try #require(resolve("[In!]!"))
    let good = coercion.coerce(.object([.init("required", .boolean(true))]), to: type)
    #expect(good.value?.description == #"[{"n": 42, "required": true, "e": "A"}]"#)
    let bad = coercion.coerce(
      .list([
        .null, .object([.init("n", .string("x")), .init("e", .string("C")), .init("lst", .null)]),
      ]), to: type)
    #expect(bad.value == nil)
    #expect(
      bad.errors.map(\.path) == [
        [.index(0)], [.index(1), .member("n")], [.index(1)], [.index(1), .member("e")], [.index(1)],
      ])
    #expect(
      bad.errors.last?.message
        == "Field \"lst\" is not defined by type \"In\". Did you mean \"list\"?")
  }

  @Test("numbers keep within the bounds of their types")
  func numbers() throws {
    let (coercion, resolve, _) = coercion()
    let int = try #require(resolve("Int"))
    #expect(coercion.coerce(.int(2_147_483_648), to: int).errors.count == 1)
    #expect(coercion.coerce(.float(1.5), to: int).errors.count == 1)
    #expect(coercion.coerce(.float(2), to: int).value == .int(2))
    let float = try #require(resolve("Float"))
    #expect(coercion.coerce(.float(.infinity), to: float).errors.count == 1)
  }
}
