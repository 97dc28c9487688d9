import Foundation
import Testing

@testable import GraphQLLanguage

@Suite("Validation and coercion conformance", .timeLimit(.minutes(1)))
struct ValidationConformanceTests {
  /// Returns the kebab-case name of a rule that the reference names in camel case.
  private func ruleName(_ name: String) -> String {
    var result = ""
    for character in name.hasSuffix("Rule") ? name.dropLast(4) : name[...] {
      if character.isUppercase, !result.isEmpty { result += "-" }
      result += character.lowercased()
    }
    return result
  }

  private func expected(_ item: [String: Any]) -> (places: Set<[Int]>, rules: Set<String>) {
    let errors = item["errors"] as? [[String: Any]] ?? []
    let places = errors.flatMap { $0["locations"] as? [[String: Int]] ?? [] }.map {
      [$0["line"] ?? 0, $0["column"] ?? 0]
    }
    return (Set(places), Set(errors.compactMap { ($0["rule"] as? String).map(ruleName) }))
  }

  private func check(_ item: [String: Any], _ found: [Diagnostic], in workspace: Workspace) {
    let (places, rules) = expected(item)
    let found = found.filter { $0.severity == .error }
    let facts = (
      places: Set(
        found.flatMap(\.locations).compactMap(workspace.location(of:)).map { [$0.line, $0.column] }),
      rules: Set(found.map(\.rule))
    )
    #expect(facts.places == places, "case \(item["id"] ?? "")")
    if !rules.isEmpty { #expect(facts.rules == rules, "case \(item["id"] ?? "")") }
  }

  @Test("schemas have the errors that the reference reports")
  func schemas() throws {
    guard let cases = try ConformanceCases.load("schemas.jsonl") else { return }
    for item in cases {
      let workspace = Workspace()
      let parsed = workspace.parse(Source(try #require(item["schema"] as? String)))
      let found =
        parsed.diagnostics.isEmpty
        ? Schema.validated(from: [parsed.document], in: workspace).diagnostics
        : Array(parsed.diagnostics.prefix(1))
      check(item, found, in: workspace)
      #expect(!found.hasErrors == (item["stage"] as? String == "ok"), "case \(item["id"] ?? "")")
    }
    #expect(cases.count >= 635)
  }

  @Test("documents have the errors that the reference reports")
  func documents() throws {
    guard let cases = try ConformanceCases.load("documents.jsonl") else { return }
    for item in cases {
      let workspace = Workspace()
      let sdl = workspace.parse(Source(try #require(item["schema"] as? String)))
      let document = workspace.parse(Source(try #require(item["document"] as? String)))
      let schema = Schema.validated(from: [sdl.document], in: workspace)
      #expect(schema.diagnostics == [] && document.diagnostics == [])
      check(
        item, schema.schema.validate([document.document], mode: .specification), in: workspace)
    }
    #expect(cases.count >= 430)
  }

  private func coercion(_ item: [String: Any]) throws -> (ValueCoercion, ResolvedType) {
    let workspace = Workspace()
    let name = try #require(item["type"] as? String)
    let text = "\(item["types"] as? String ?? "")\ntype Query { a(b: \(name)): Int }"
    let document = workspace.parse(Source(text)).document
    let schema = Schema.build(from: [document], in: workspace)
    let type = schema.queryType?.fields.first?.arguments.first?.type
    return (ValueCoercion(schema: schema), try #require(type))
  }

  /// Converts a JSON value to an input value; `nil` for JavaScript's `undefined` and `NaN`.
  private func value(_ json: Any?) -> InputValue? {
    switch json {
    case nil: return nil
    case is NSNull: return .null
    case let text as String: return .string(text)
    case let items as [Any]: return .list(items.map { value($0) ?? .null })
    case let members as [String: Any]:
      if members["$js"] != nil { return nil }
      return .object(
        members.sorted { $0.key < $1.key }.compactMap { name, member in
          value(member).map { .init(name, $0) }
        })
    case let number as NSNumber:
      if String(cString: number.objCType) == "c" { return .boolean(number.boolValue) }
      return Int(exactly: number.doubleValue).map { .int($0) } ?? .float(number.doubleValue)
    default: return nil
    }
  }

  /// Returns the value in a comparable form: with sorted members, and integral numbers as integers.
  private func normal(_ value: InputValue) -> InputValue {
    switch value {
    case .float(let number): Int(exactly: number).map { .int($0) } ?? value
    case .list(let items): .list(items.map(normal))
    case .object(let members):
      .object(members.map { .init($0.name, normal($0.value)) }.sorted { $0.name < $1.name })
    default: value
    }
  }

  @Test("literals are coerced as by the reference")
  func literals() throws {
    guard let cases = try ConformanceCases.load("value_from_ast.jsonl") else { return }
    for item in cases where item["value"] is String {
      let text = try #require(item["value"] as? String)
      var variables: [String: InputValue] = [:]
      for (name, json) in item["variables"] as? [String: Any] ?? [:] {
        variables[name] = value(json)
      }
      let workspace = Workspace()
      let found: InputValue?
      if item["kind"] as? String == "valueFromAST" {
        let (coercion, type) = try coercion(item)
        let parsed = try #require(self.literal(text, in: coercion.schema.symbols))
        found = coercion.value(of: parsed, as: type, variables: variables)
      } else {
        let parsed = try #require(self.literal(text, in: workspace.symbols))
        found = ValueCoercion.untypedValue(
          of: parsed, variables: variables, symbols: workspace.symbols)
      }
      #expect(found.map(normal) == value(item["result"]), "\(text) as \(item["type"] ?? "")")
    }
    #expect(cases.count >= 93)
  }

  /// Parses a literal as the argument of a field. The literal may contain variables.
  private func literal(_ text: String, in symbols: SymbolTable) -> Value? {
    let document = Document.parse(builtIn: "query { a(b: \(text)) }", in: symbols)
    guard case .operation(let operation)? = document.definitions.first,
      case .field(let field)? = operation.selectionSet.selections.first
    else { return nil }
    return field.arguments.first?.value
  }

  @Test("run-time values are coerced as by the reference")
  func input() throws {
    guard let cases = try ConformanceCases.load("coerce_input_value.jsonl") else { return }
    var checked = 0
    for item in cases {
      let (coercion, type) = try coercion(item)
      let input = try #require(value(item["value"]))
      // JavaScript's iterables have no JSON form.
      if case .object([]) = input { continue }
      let found = coercion.coerce(input, to: type)
      if let errors = item["errors"] as? [[String: Any]] {
        let paths = errors.map { ($0["path"] as? [Any] ?? []).map { "\($0)" } }
        #expect(found.errors.map { $0.path.map(text) } == paths, "\(input)")
        #expect(found.errors.map(\.message) == errors.compactMap { $0["message"] as? String })
        if errors.isEmpty { #expect(found.value.map(normal) == value(item["result"])) }
      } else {
        #expect(!found.errors.isEmpty)
      }
      checked += 1
    }
    #expect(checked >= 29)
  }

  private func text(_ element: InputError.PathElement) -> String {
    switch element {
    case .member(let name): name
    case .index(let index): "\(index)"
    }
  }
}
