import Testing

@testable import GraphQLLanguage

@Suite("Value coercion", .timeLimit(.minutes(1))) struct ValueCoercionTests {
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

  private func literal(
    _ text: String, as type: String, variables: [String: InputValue] = [:]
  ) throws -> String? {
    let (coercion, resolve, schema) = coercion()
    let document = Document.parse(builtIn: "query { a(i: \(text)) }", in: schema.symbols)
    guard case .operation(let operation)? = document.definitions.first,
      case .field(let field)? = operation.selectionSet.selections.first
    else { return nil }
    let value = try #require(field.arguments.first?.value)
    return try coercion.value(of: value, as: #require(resolve(type)), variables: variables)?
      .description
  }

  @Test("coercion adds default values, wraps single values in lists, and converts numbers")
  func literals() throws {
    #expect(
      try literal("{ required: true }", as: "In") == #"{"n": 42, "required": true, "e": "A"}"#)
    #expect(try literal("3", as: "[[Int]]") == "[[3]]")
    #expect(try literal("3", as: "ID") == "\"3\"")
    #expect(try literal("3", as: "Float") == "3.0")
    #expect(try literal("{ a: [B, 1.5] }", as: "Any") == #"{"a": ["B", 1.5]}"#)
  }

  @Test("literals that are not valid for a type have no value")
  func invalidLiterals() throws {
    for (text, type) in [
      ("{}", "In"), ("{ required: null }", "In"), ("{ required: true, no: 1 }", "In"), ("C", "E"),
      ("\"A\"", "E"), ("2147483648", "Int"), ("null", "Int!"), ("[1, null]", "[Int!]"),
      ("{ a: 1, b: 2 }", "Key"), ("{ a: null }", "Key"),
    ] {
      #expect(try literal(text, as: type) == nil, "\(text) as \(type)")
    }
  }

  @Test("run-time values are coerced, or all of their errors are returned with paths")
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

  @Test("numbers out of their type's bounds are rejected")
  func numbers() throws {
    let (coercion, resolve, _) = coercion()
    let int = try #require(resolve("Int"))
    #expect(coercion.coerce(.int(2_147_483_648), to: int).errors.count == 1)
    #expect(coercion.coerce(.float(1.5), to: int).errors.count == 1)
    #expect(coercion.coerce(.float(2), to: int).value == .int(2))
    let float = try #require(resolve("Float"))
    #expect(coercion.coerce(.float(.infinity), to: float).errors.count == 1)
  }

  @Test("literals of built-in, enum and input types are coerced, and others have no value")
  func scalars() throws {
    let valid = [
      ("null", "Int", "null"), ("-2147483648", "Int", "-2147483648"), ("1.5", "Float", "1.5"),
      ("true", "Boolean", "true"), ("\"a\"", "String", "\"a\""), ("\"a\"", "ID", "\"a\""),
      ("B", "E", "\"B\""),
      ("null", "[Int!]", "null"), ("[]", "[Int!]!", "[]"), ("[1, null]", "[Int]", "[1, null]"),
      ("[[1], 2, null]", "[[Int]]", "[[1], [2], null]"), ("X", "Any", "\"X\""),
      ("{ b: 1 }", "Key", "{\"b\": 1}"),
      (
        "{ required: true, e: null, n: null }", "In",
        "{\"n\": null, \"required\": true, \"e\": null}"
      ),
      (
        "{ required: true, list: 3 }", "In",
        "{\"n\": 42, \"list\": [3], \"required\": true, \"e\": \"A\"}"
      ),
    ]
    for (text, type, expected) in valid {
      #expect(try literal(text, as: type) == expected, "\(text)")
    }
    for (text, type) in [
      ("1", "String"), ("1", "Boolean"), ("TRUE", "Boolean"), ("1.0", "Int"), ("\"1\"", "Int"),
      ("\"1\"", "Float"), ("1.5", "ID"), ("true", "ID"), ("A", "String"), ("1", "E"),
      ("[1]", "Int"),
      ("[\"a\"]", "[Int]"), ("\"a\"", "[Int]"), ("1", "In"), ("[{ b: 1, a: 1 }]", "[Key]"),
      ("{}", "Key"),
      ("{ c: 1 }", "Key"),
    ] {
      #expect(try literal(text, as: type) == nil, "\(text) as \(type)")
    }
  }

  @Test("variables are replaced with their values, or omitted if possible when they have none")
  func variables() throws {
    let given: [String: InputValue] = ["n": .int(7), "null": .null, "flag": .boolean(false)]
    #expect(try literal("$n", as: "Int", variables: given) == "7")
    #expect(try literal("$none", as: "Int", variables: given) == nil)
    #expect(try literal("$null", as: "Int", variables: given) == "null")
    #expect(try literal("$null", as: "Int!", variables: given) == nil)
    #expect(
      try literal("[1, $n, $none, $null]", as: "[Int]", variables: given) == "[1, 7, null, null]")
    #expect(try literal("[1, $none]", as: "[Int!]", variables: given) == nil)
    #expect(try literal("[$null]", as: "[Int!]", variables: given) == nil)
    #expect(
      try literal("{ n: $none, required: $flag, list: [$n] }", as: "In", variables: given)
        == "{\"n\": 42, \"list\": [7], \"required\": false, \"e\": \"A\"}")
    #expect(
      try literal("{ n: $null, required: true }", as: "In", variables: given)
        == "{\"n\": null, \"required\": true, \"e\": \"A\"}")
    #expect(try literal("{ required: $none }", as: "In", variables: given) == nil)
    #expect(try literal("{ required: $null }", as: "In", variables: given) == nil)
    #expect(try literal("{ a: $n, b: $none }", as: "Key", variables: given) == "{\"a\": 7}")
    #expect(try literal("{ a: $null }", as: "Key", variables: given) == nil)
    #expect(
      try literal("{ x: [$n, $none], y: $none }", as: "Any", variables: given)
        == "{\"x\": [7, null]}")
  }

  @Test("run-time values of built-in types and OneOf input objects are coerced")
  func runtime() throws {
    let (coercion, resolve, _) = coercion()
    func found(_ input: InputValue, _ type: String) throws -> String {
      let result = coercion.coerce(input, to: try #require(resolve(type)))
      return result.value?.description ?? result.errors.map(\.message).joined(separator: " ")
    }
    #expect(try found(.int(7), "ID") == "\"7\"")
    #expect(try found(.string("a"), "ID") == "\"a\"")
    #expect(try found(.int(3), "Float") == "3.0")
    #expect(try found(.int(-2_147_483_648), "Int") == "-2147483648")
    #expect(try found(.null, "[Int!]") == "null")
    #expect(try found(.int(1), "[[Int]]") == "[[1]]")
    #expect(try found(.list([.int(1), .null]), "[Int]") == "[1, null]")
    #expect(
      try found(.null, "Int!") == "Expected non-nullable type \"Int!\" not to be null.")
    #expect(try found(.int(1), "In") == "Expected type \"In\" to be an object.")
    #expect(
      try found(.object([]), "In")
        == "Field \"required\" of required type \"Boolean!\" was not provided.")
    #expect(
      try found(.string("AA"), "E")
        == "Value \"AA\" does not exist in \"E\" enum. Did you mean the enum value \"A\"?"
    )
    #expect(try found(.int(1), "E") == "Enum \"E\" cannot represent non-string value: 1.")
    #expect(try found(.object([.init("a", .int(1))]), "Key") == "{\"a\": 1}")
    for members in [[], [InputValue.Member("a", .int(1)), .init("b", .int(2))]] {
      #expect(
        try found(.object(members), "Key")
          == "Exactly one key must be specified for OneOf type \"Key\".")
    }
    let null = coercion.coerce(
      .object([.init("b", .null)]), to: try #require(resolve("Key")))
    #expect(null.errors.map(\.message) == ["Field \"b\" must be non-null."])
    #expect(null.errors.map(\.path) == [[.member("b")]])
    for (input, type) in [
      (InputValue.string("1"), "Int"), (.boolean(true), "Int"), (.int(1), "String"),
      (.int(1), "Boolean"),
      (.float(1.5), "ID"), (.boolean(true), "ID"), (.string("x"), "Float"),
      (.list([.int(1)]), "Int"),
    ] {
      #expect(coercion.coerce(input, to: try #require(resolve(type))).errors.count == 1, "\(type)")
    }
  }
}
