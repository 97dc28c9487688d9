import Foundation
import GraphQLLanguage
import RelayCompiler

extension CheckResult {
  /// The findings in the Static Analysis Results Interchange Format, version 2.1.0.
  var sarif: String {
    let annotations = annotations
    var rules: [SchemaChange.Kind] = []
    for annotation in annotations where !rules.contains(annotation.change.kind) {
      rules.append(annotation.change.kind)
    }
    let driver = InputValue.object([
      .init("name", .string("relay-compiler")),
      .init("version", .string(CompilerVersion.release)),
      .init("rules", .list(rules.map(\.sarifRule))),
    ])
    let results = annotations.map { annotation in
      annotation.sarifResult(ruleIndex: rules.firstIndex(of: annotation.change.kind) ?? 0)
    }
    let lines = results.map { "    \($0)" }.joined(separator: ",\n")
    return """
      {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{
        "tool": {"driver": \(driver)},
        "columnKind": "utf16CodeUnits",
        "results": [\(lines.isEmpty ? "" : "\n\(lines)\n  ")]
      }]}

      """
  }
}

extension SchemaChange.Kind {
  fileprivate var sarifRule: InputValue {
    let words = rawValue.lowercased().replacingOccurrences(of: "_", with: " ")
    let level = InputValue.Member("level", .string(criticality.sarifLevel))
    return .object([
      .init("id", .string(rawValue)),
      .init("shortDescription", .object([.init("text", .string(words))])),
      .init("defaultConfiguration", .object([level])),
    ])
  }
}

extension CheckAnnotation {
  fileprivate func sarifResult(ruleIndex: Int) -> InputValue {
    let operations = findings.compactMap { finding -> InputValue? in
      guard let operation = finding.operation else { return nil }
      let path = finding.paths.first.map { $0.isEmpty ? "" : "." + $0 } ?? ""
      return .object([
        .init("fullyQualifiedName", .string(operation + path)), .init("kind", .string("member")),
      ])
    }
    var location: [InputValue.Member] = []
    if let place {
      let artifact = InputValue.object([.init("uri", .string(Self.uri(of: place.path)))])
      let region = InputValue.object([
        .init("startLine", .int(place.line)), .init("startColumn", .int(place.column)),
      ])
      location.append(
        .init(
          "physicalLocation",
          .object([.init("artifactLocation", artifact), .init("region", region)])))
    }
    if !operations.isEmpty { location.append(.init("logicalLocations", .list(operations))) }
    return .object([
      .init("ruleId", .string(change.kind.rawValue)), .init("ruleIndex", .int(ruleIndex)),
      .init("level", .string(change.criticality.sarifLevel)),
      .init("message", .object([.init("text", .string(message))])),
      .init("locations", .list(location.isEmpty ? [] : [.object(location)])),
    ])
  }

  /// Returns a relative path as a relative reference, and an absolute one as a `file` URI.
  private static func uri(of path: String) -> String {
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: ":;"))
    let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    return path.hasPrefix("/") ? "file://" + encoded : encoded
  }
}

extension Criticality {
  fileprivate var sarifLevel: String {
    switch self {
    case .breaking: "error"
    case .dangerous: "warning"
    case .safe: "note"
    }
  }
}
