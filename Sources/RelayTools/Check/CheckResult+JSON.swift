import GraphQLLanguage

extension CheckResult {
  /// All findings, one on each line, and the numbers of changes.
  var json: String {
    let lines = findings.map { "  \($0.json)" }.joined(separator: ",\n")
    let counts = Criticality.allCases.map {
      InputValue.Member($0.rawValue, .int(count(of: $0)))
    }
    let list = lines.isEmpty ? "[]" : "[\n\(lines)\n]"
    return "{\"findings\": \(list), \"changes\": \(InputValue.object(counts)), "
      + "\"operations\": \(operationCount)}\n"
  }
}

extension Finding {
  fileprivate var json: InputValue {
    func list(_ places: [SourceLocation]) -> InputValue { .list(places.map(\.json)) }
    var members: [InputValue.Member] = [
      .init("criticality", .string(change.criticality.rawValue)),
      .init("kind", .string(change.kind.rawValue)),
      .init("coordinate", .string(change.coordinate)),
      .init("message", .string(change.message)),
      .init("operation", operation.map { .string($0) } ?? .null),
      .init("versions", .list(versions.map { .string($0) })),
      .init("paths", .list(paths.map { .string($0) })),
      .init("places", list(places)),
      .init("reads", list(reads)),
      .init("manifests", list(manifestPlaces)),
    ]
    if let usage {
      let count = Int(exactly: usage).map { InputValue.int($0) } ?? .float(usage)
      members.append(.init("usage", count))
    }
    return .object(members)
  }
}

extension SourceLocation {
  fileprivate var json: InputValue {
    .object([
      .init("file", .string(path)), .init("line", .int(line)), .init("column", .int(column)),
    ])
  }
}
