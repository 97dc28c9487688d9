import Foundation
import RelayStore
import RelayStoreTesting
import Testing

/// Input coercion test cases that are stored outside the package; a user's clone does not have
/// them.
private enum Cases {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/conformance")

  static var exist: Bool { FileManager.default.fileExists(atPath: folder.path) }
}

@Suite(
  "Input coercion matches the reference implementation",
  .enabled(if: Cases.exist, "the conformance cases are not installed"), .timeLimit(.minutes(1)))
struct ConformanceTests {
  @Test("variable values are coerced like in the reference implementation")
  func variables() async throws {
    var count = 0
    for item in try cases("coerce_input_value.jsonl") where isRepresentable(item) {
      guard let value = item["value"] else { continue }
      let type = item["type"]?.string ?? ""
      let response = try await server(item).respond(
        to: "query ($v: \(type)) { echo(v: $v) }", variables: ["v": value])
      let isValid = item["errors"]?.array?.isEmpty == true
      check(response, for: item, isValid: isValid)
      count += 1
    }
    print("runtime values: \(count) cases")
    #expect(count > 20)
  }

  @Test("literals are coerced like in the reference implementation")
  func literals() async throws {
    var count = 0
    for item in try cases("value_from_ast.jsonl") where isRepresentable(item) {
      guard let literal = item["value"]?.string, item["variables"]?.isNull == true else { continue }
      let response = try await server(item).respond(to: "{ echo(v: \(literal)) }")
      check(response, for: item, isValid: item["valid"]?.bool == true)
      count += 1
    }
    print("literals: \(count) cases")
    #expect(count > 50)
  }

  private func check(_ response: JSONValue, for item: JSONValue, isValid: Bool) {
    let name = "\(item["name"]?.string ?? ""): \(item["value"] ?? nil) as \(item["type"] ?? nil)"
    if isValid {
      #expect(response["data"]?["echo"]?["v"] == item["result"], "\(name): \(response)")
    } else {
      #expect(response["errors"] != nil, "\(name): \(response)")
    }
  }

  private func server(_ item: JSONValue) throws -> SchemaServer {
    let types = item["types"]?.string ?? ""
    return try SchemaServer(
      schema: """
        type Query { echo(v: \(item["type"]?.string ?? "")): EchoedValue }
        scalar EchoedValue
        \(types)
        """,
      resolvers: ["Query.echo": { call in .object(call.arguments) }])
  }

  private func cases(_ file: String) throws -> [JSONValue] {
    let text = try String(contentsOf: Cases.folder.appending(path: file), encoding: .utf8)
    return try text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  /// Whether JSON can represent the case: it has no JavaScript-only values and no internal enum
  /// values.
  private func isRepresentable(_ item: JSONValue) -> Bool {
    guard item["custom_internal_values"]?.bool != true, item["type"]?.string != nil,
      item["name"]?.string?.contains("iterable") != true
    else { return false }
    let isUndefined = item["result"]?["$js"]?.string == "undefined"
    return !"\(item["value"] ?? nil)".contains("$js")
      && (isUndefined || !"\(item["result"] ?? nil)".contains("$js"))
  }
}
