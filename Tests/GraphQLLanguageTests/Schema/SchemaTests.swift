import Testing

@testable import GraphQLLanguage

@Suite("Schema", .timeLimit(.minutes(1))) struct SchemaTests {
  private func build(_ texts: String...) -> Schema {
    let workspace = Workspace()
    let documents = texts.map { workspace.parse(Source($0)).document }
    return Schema.build(from: documents, in: workspace)
  }

  @Test("types, fields, arguments and values are found by name")
  func lookups() throws {
    let schema = build(petSchema)
    let dog = try #require(schema.type(named: "Dog"))
    let field = try #require(dog.field(named: schema.symbols.intern("friends")))
    #expect(schema.text(of: field.type) == "[Dog!]")
    let first = try #require(field.arguments[named: schema.symbols.intern("first")])
    #expect(first.defaultValue != nil)
    #expect(!first.isRequired)
    let order = try #require(schema.type(named: "Order"))
    #expect(order.enumValues.map { schema.symbols[$0.symbol] } == ["NAME", "AGE"])
    #expect(schema.type(named: "Nothing") == nil)
    #expect(dog.field(named: schema.symbols.intern("nothing")) == nil)
    #expect(schema.queryType?.kind == .object)
  }

  @Test("lookup in a long list finds the first element with a name")
  func longLists() {
    let fields = (0..<100).map { "f\($0): Int" }.joined(separator: " ")
    let schema = build("type Query { \(fields) f7: String }")
    let query = schema.type(named: "Query")
    for position in 0..<100 {
      #expect(query?.fields.position(of: schema.symbols.intern("f\(position)")) == position)
    }
    #expect(query?.fields.position(of: schema.symbols.intern("f100")) == nil)
  }

  @Test("meta-fields exist where the specification allows them")
  func metaFields() throws {
    let schema = build(petSchema)
    let (query, dog, order) = (
      schema.type(named: "Query"), schema.type(named: "Dog"), schema.type(named: "Order")
    )
    #expect(try schema.field(named: .introspectionType, on: #require(query)) != nil)
    #expect(try schema.field(named: .introspectionType, on: #require(dog)) == nil)
    #expect(try schema.field(named: .typename, on: #require(dog)) != nil)
    #expect(try schema.field(named: .typename, on: #require(order)) == nil)
  }

  @Test("possible types and subtypes are derived from interfaces and unions")
  func subtypes() throws {
    let schema = build(petSchema)
    func type(_ name: String) throws -> NamedType { try #require(schema.type(named: name)) }
    func names(_ ids: [TypeID]) -> [String] { ids.map(schema.name(of:)) }
    #expect(try names(schema.possibleTypes(of: type("Being"))) == ["Dog", "Cat", "Human"])
    #expect(try names(schema.possibleTypes(of: type("CatOrDog"))) == ["Cat", "Dog"])
    #expect(try names(schema.possibleTypes(of: type("Dog"))) == ["Dog"])
    #expect(try names(schema.implementingInterfaces(of: type("Being"))) == ["Pet"])
    #expect(try schema.isSubtype(type("Dog").id, of: type("CatOrDog").id))
    #expect(try !schema.isSubtype(type("Human").id, of: type("Pet").id))
    #expect(try schema.doTypesOverlap(type("Pet"), type("CatOrDog")))
    #expect(try !schema.doTypesOverlap(type("Human"), type("CatOrDog")))
  }

  @Test("subtyping extends to list and non-null types")
  func wrappedSubtypes() throws {
    let schema = build(petSchema)
    func type(_ text: String) throws -> ResolvedType {
      try #require(TypeReference.parse(text, in: schema.symbols).flatMap(schema.resolve))
    }
    #expect(try schema.isSubtype(type("[Dog!]!"), of: type("[Pet]")))
    #expect(try schema.isSubtype(type("Int!"), of: type("Int")))
    #expect(try !schema.isSubtype(type("Int"), of: type("Int!")))
    #expect(try !schema.isSubtype(type("[Int]"), of: type("Int")))
    #expect(try !schema.isSubtype(type("Int"), of: type("[Int]")))
    #expect(try schema.isSubtype(type("[[Int!]]"), of: type("[[Int]]")))
  }

  @Test("extensions add fields, interfaces, values, members and directives")
  func extensions() throws {
    let schema = build(
      "type Query { a: Int } interface I { a: Int } enum E { A } union U = Query input In { a: Int }",
      """
      extend type Query implements I { b: E } extend enum E { B } type T { a: Int }
      extend union U = T extend input In @oneOf { b: Int }
      """)
    #expect(schema.queryType?.fields.count == 2)
    #expect(schema.queryType?.interfaces.count == 1)
    #expect(schema.type(named: "E")?.enumValues.count == 2)
    #expect(schema.type(named: "U")?.memberTypes.count == 2)
    #expect(schema.type(named: "In")?.isOneOf == true)
  }

  @Test("a standard scalar is in the schema only if something refers to it")
  func standardScalars() {
    let schema = build("type Query { a: ID }")
    #expect(schema.type(named: "ID") != nil)
    #expect(schema.type(named: "Float") == nil)
    #expect(schema.type(named: "String") != nil)
    #expect(schema.type(named: "__Type")?.isBuiltIn == true)
  }

  @Test("root types are those of the schema definition, or those with the default names")
  func roots() {
    #expect(build("type Query { a: Int } type Mutation { a: Int }").mutationType != nil)
    let named = build("schema { query: A } type A { a: Int } type Mutation { a: Int }")
    #expect(named.mutationType == nil)
    #expect(named.queryType.map { named.symbols[$0.symbol] } == "A")
  }

  @Test("members with unknown types are left out")
  func incomplete() {
    let schema = build(
      "type Query implements Nothing { a: Nothing b(c: Nothing): Int } union U = No")
    #expect(schema.queryType?.fields.count == 1)
    #expect(schema.queryType?.fields.first?.arguments.isEmpty == true)
    #expect(schema.type(named: "U")?.memberTypes.isEmpty == true)
  }

  @Test("a deprecated field has a reason, by default that of the specification")
  func deprecation() {
    let schema = build(
      "type Query { a: Int @deprecated b: Int @deprecated(reason: \"old\") c: Int }")
    let reasons = schema.queryType?.fields.map(\.deprecationReason)
    #expect(reasons == ["No longer supported", "old", nil])
  }
}
