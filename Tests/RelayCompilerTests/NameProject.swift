import GraphQLLanguage
import Testing

@testable import RelayCompiler

/// A schema and a document with names in chosen positions.
struct NameProject {
  var schema: String
  var document: String

  func compile() -> Compilation {
    Compiler.compile(
      CompilationInput(
        sources: [
          .init(
            path: "App.graphql", bytes: ContiguousArray(document.utf8),
            output: "App.graphql.swift")
        ],
        schema: [Source(path: "schema.graphql", schema)]))
  }

  /// One declaration of every kind that generated code can contain, with names that start with
  /// `zz`.
  static let everything = NameProject(
    schema: """
      scalar ZzDate
      enum ZzEnum { ZZ_A ZZ_B @deprecated }
      enum ZzBig { \((0..<40).map { "ZZ_\($0)" }.joined(separator: " ")) ZZ_OLD @deprecated }
      input ZzInput { zza: Int = 1 zzb: ZzInput zzc: [ZzEnum!]! zzd: Int @deprecated zze: Boolean! = true }
      input ZzOne @oneOf { zza: Int zzb: ID @deprecated }
      interface Node { id: ID! }
      type ZzUser implements Node { id: ID! zzname: String zzdate: ZzDate zzenum: ZzEnum zzbig: ZzBig zzlist: [[ZzUser!]]! zzfriends(first: Int, after: String): ZzUsers }
      type ZzPet implements Node { id: ID! zzage: Int! zzowner: ZzUser! }
      type ZzUsers { edges: [ZzEdge] pageInfo: PageInfo! }
      type ZzEdge { node: ZzUser cursor: String! }
      type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
      type Query { zzuser(zzid: ID, zzi: ZzInput, zzo: ZzOne): ZzUser zznode: Node node(id: ID!): Node }
      type Mutation { zzset(zzi: ZzInput!): Node }
      type Subscription { zzon: ZzUser }
      """,
    document: """
      query zzFirst($zzi: ZzInput = {zza: 2, zzc: [ZZ_A]}, $zzo: ZzOne, $zzb: Boolean! = true) {
        zzuser(zzi: $zzi, zzo: $zzo) { zzname @include(if: $zzb) ...zzF_user ...zzI_user ...zzP_user @alias(as: "zzp") }
        zznode { __typename ... on ZzUser { zzname ...zzF_user } ... on ZzPet @alias(as: "zzq") { zzage zzowner { zzenum } } }
      }
      fragment zzF_user on ZzUser { zzdate zzenum zzbig zzlist { id } required: zzname @required(action: THROW) zzothers: zzlist { zzname @catch } }
      fragment zzI_user on ZzUser @inline { zzdate }
      fragment zzU_user on ZzUser @updatable { zzname }
      fragment zzP_user on ZzUser @refetchable(queryName: "zzPage") @argumentDefinitions(zzcount: {type: "Int", defaultValue: 3}, zzafter: {type: "String"}) {
        zzfriends(first: $zzcount, after: $zzafter) @connection(key: "zzP_zzfriends") { edges { node { zzname } } }
      }
      mutation zzSet($zzi: ZzInput!) { zzset(zzi: $zzi) { id ... on ZzPet { zzage } ...zzF_user } }
      subscription zzOn { zzon { ...zzF_user } }
      """)
}

/// A position of a name in a schema or a document.
enum NamePosition: String, CaseIterable, CustomTestStringConvertible {
  case field, linkedField, alias, variable, enumValue, deprecatedEnumValue, inputField
  case deprecatedInputField, choice, deprecatedChoice, objectType, typeCondition, enumType
  case inputType, scalar, fragment, operation, viewAlias, soleViewAlias, spreadAlias, mutation

  var testDescription: String { rawValue }

  func project(_ names: [String]) -> NameProject {
    switch self {
    case .field: fields(names)
    case .linkedField: linkedFields(names)
    case .alias: aliases(names)
    case .variable: variables(names)
    case .enumValue, .deprecatedEnumValue: enumValues(names)
    case .inputField, .deprecatedInputField: inputFields(names)
    case .choice, .deprecatedChoice: choices(names)
    case .objectType: objectTypes(names)
    case .typeCondition: typeConditions(names)
    case .enumType: leafTypes(names) { "enum \($0) { A B @deprecated }" }
    case .scalar: leafTypes(names) { "scalar \($0)" }
    case .inputType: inputTypes(names)
    case .fragment: fragments(names)
    case .operation: operations(names)
    case .viewAlias, .soleViewAlias: viewAliases(names)
    case .spreadAlias: spreadAliases(names)
    case .mutation: mutations(names)
    }
  }

  private func lines<T>(_ values: some Sequence<T>, _ line: (T) -> String) -> String {
    values.map(line).joined(separator: "\n")
  }

  private func fields(_ names: [String]) -> NameProject {
    NameProject(
      // An `id` of another type is a warning.
      schema: "type Query { \(lines(names) { "\($0): \($0 == "id" ? "ID" : "Int")" }) }",
      document:
        "query zzQ { \(lines(names) { $0 }) } fragment zzF on Query { \(lines(names) { $0 }) }")
  }

  private func linkedFields(_ names: [String]) -> NameProject {
    NameProject(
      schema: "type Leaf { a: Int b: Leaf } type Query { \(lines(names) { "\($0): [Leaf]" }) }",
      document: "query zzQ { \(lines(names) { "\($0) { a b { a } }" }) }")
  }

  private func aliases(_ names: [String]) -> NameProject {
    NameProject(
      schema: "type Leaf { a: String } type Query { leaf: Leaf }",
      document:
        "query zzQ { \(lines(names) { "\($0): leaf { a }" }) leaf { \(lines(names) { "\($0): a" }) } }"
    )
  }

  private func variables(_ names: [String]) -> NameProject {
    NameProject(
      schema: "type Query { a(i: Int, s: String): Int }",
      document: """
        query zzQ(\(lines(names) { "$\($0): Int" })) { \(lines(names.enumerated()) { "a\($0.offset): a(i: $\($0.element))" }) }
        query zzD(\(lines(names) { "$\($0): String! = \"x\"" })) { \(lines(names.enumerated()) { "a\($0.offset): a(s: $\($0.element))" }) }
        """)
  }

  private func enumValues(_ names: [String]) -> NameProject {
    let values = names.filter { !["true", "false", "null"].contains($0) }
    let mark = self == .deprecatedEnumValue ? " @deprecated(reason: \"x\")" : ""
    return NameProject(
      schema: "enum E { \(lines(values) { $0 + mark }) } type Query { e(e: E): E }",
      document:
        "query zzQ(\(lines(values.enumerated()) { "$v\($0.offset): E = \($0.element)" })) { \(lines(values.indices) { "a\($0): e(e: $v\($0))" }) }"
    )
  }

  private func inputFields(_ names: [String]) -> NameProject {
    let mark = self == .deprecatedInputField ? " @deprecated(reason: \"x\")" : ""
    return NameProject(
      schema: """
        input I { \(lines(names) { "\($0): Int\(mark)" }) }
        input R { \(lines(names) { "\($0): R\(mark)" }) }
        type Query { a(i: I, r: R): Int }
        """,
      document:
        "query zzQ($i: I = {\(lines(names) { "\($0): 1" })}, $r: R = {\(lines(names) { "\($0): null" })}) { a(i: $i, r: $r) }"
    )
  }

  private func choices(_ names: [String]) -> NameProject {
    let mark = self == .deprecatedChoice ? " @deprecated(reason: \"x\")" : ""
    return NameProject(
      schema:
        "input O @oneOf { \(lines(names) { "\($0): Int\(mark)" }) } type Query { a(o: O): Int }",
      document:
        "query zzQ(\(lines(names.enumerated()) { "$v\($0.offset): O = {\($0.element): 1}" })) { \(lines(names.indices) { "a\($0): a(o: $v\($0))" }) }"
    )
  }

  /// The names that a schema type can have in addition to the query type.
  private func typeNames(_ names: [String]) -> [String] {
    names.filter {
      !["Query", "Mutation", "Subscription", "Int", "Float", "String", "Boolean", "ID"].contains($0)
    }
  }

  private func objectTypes(_ names: [String]) -> NameProject {
    let types = typeNames(names)
    return NameProject(
      schema:
        "\(lines(types) { "type \($0) { a: Int b: \($0) }" }) type Query { \(lines(types.enumerated()) { "f\($0.offset): [\($0.element)]" }) }",
      document: "query zzQ { \(lines(types.indices) { "f\($0) { a b { a } }" }) }")
  }

  private func typeConditions(_ names: [String]) -> NameProject {
    let types = typeNames(names).filter { $0 != "Base" }
    return NameProject(
      schema:
        "interface Base { a: Int } \(lines(types) { "type \($0) implements Base { a: Int b: Int }" }) type Query { base: Base }",
      document: """
        query zzQ { base { a \(lines(types) { "... on \($0) { b }" }) } }
        """)
  }

  private func leafTypes(_ names: [String], _ declaration: (String) -> String) -> NameProject {
    let types = typeNames(names)
    return NameProject(
      schema:
        "\(lines(types, declaration)) type Query { \(lines(types.enumerated()) { "f\($0.offset)(a: \($0.element)): [\($0.element)]" }) }",
      document:
        "query zzQ(\(lines(types.enumerated()) { "$v\($0.offset): \($0.element)" })) { \(lines(types.indices) { "f\($0)(a: $v\($0))" }) }"
    )
  }

  private func inputTypes(_ names: [String]) -> NameProject {
    let types = typeNames(names)
    return NameProject(
      schema:
        "\(lines(types) { "input \($0) { a: Int b: \($0) }" }) type Query { \(lines(types.enumerated()) { "f\($0.offset)(a: \($0.element)): Int" }) }",
      document:
        "query zzQ(\(lines(types.enumerated()) { "$v\($0.offset): \($0.element) = {a: 1}" })) { \(lines(types.indices) { "f\($0)(a: $v\($0))" }) }"
    )
  }

  /// The names that definitions can have together, because their Swift types differ.
  private func definitionNames(_ names: [String], _ swiftName: (String) -> String) -> [String] {
    var taken: Set<String> = ["Schema"]
    return names.filter { $0 != "on" && taken.insert(swiftName($0)).inserted }
  }

  private func fragments(_ names: [String]) -> NameProject {
    let names = definitionNames(names, SwiftName.definition)
    return NameProject(
      schema: "type Leaf { a: Int } type Query { leaf: Leaf }",
      document: """
        query zzQ { leaf { \(lines(names) { "...\($0)" }) } }
        \(lines(names) { "fragment \($0) on Leaf { a }" })
        """)
  }

  private func operations(_ names: [String]) -> NameProject {
    let names = definitionNames(names) { SwiftName.operation($0, kind: "query") }
    return NameProject(
      schema: "type Leaf { a(i: Int): Int } type Query { leaf: Leaf }",
      document: lines(names) { "query \($0)($i: Int = 1) { leaf { a(i: $i) } }" })
  }

  private func viewAliases(_ names: [String]) -> NameProject {
    let names = names.filter { $0 != "a" && $0 != "base" }
    let other = self == .viewAlias ? "... on H { c }" : ""
    return NameProject(
      schema:
        "interface Base { a: Int } type D implements Base { a: Int b: Int } type H implements Base { a: Int c: Int } type Query { base: Base }",
      document: """
        query zzQ { \(lines(names.enumerated()) { "base\($0.offset): base { a ... on D @alias(as: \"\($0.element)\") { b } \(other) }" }) }
        """)
  }

  private func spreadAliases(_ names: [String]) -> NameProject {
    NameProject(
      schema: "type Leaf { a: Int } type Query { leaf: Leaf }",
      document: """
        query zzQ { leaf { \(lines(names) { "...zzF @alias(as: \"\($0)\")" }) } }
        fragment zzF on Leaf { a }
        """)
  }

  private func mutations(_ names: [String]) -> NameProject {
    NameProject(
      schema:
        "type Leaf { \(lines(names) { "\($0): \($0 == "id" ? "ID" : "Int")" }) } type Query { a: Int } type Mutation { \(lines(names) { "\($0): Leaf" }) }",
      document: """
        mutation zzM { \(lines(names.prefix(60)) { "\($0) { \(lines(names) { $0 }) }" }) }
        """)
  }
}
