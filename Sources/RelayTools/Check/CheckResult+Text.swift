import GraphQLLanguage

extension CheckResult {
  /// The number of paths, places or reads that text shows for one operation.
  private static let shownLimit = 5

  /// The breaking and dangerous changes and the uses of deprecated elements, each with the
  /// operations that it affects.
  var text: String {
    var messages: [String] = []
    var byMessage: [String: [Finding]] = [:]
    for finding in findings where finding.isShownInText {
      let message = finding.heading
      if byMessage[message] == nil { messages.append(message) }
      byMessage[message, default: []].append(finding)
    }
    let changes = messages.map { message in
      message + (byMessage[message] ?? []).map(Self.text).joined()
    }
    return changes.joined() + summary
  }

  private var summary: String {
    let counts = Criticality.allCases.map { "\(count(of: $0)) \($0.rawValue)" }
    return "\(counts.joined(separator: ", ")); \(operationCount.counted("operation")) checked.\n"
  }

  private static func text(of finding: Finding) -> String {
    var text = ""
    if let operation = finding.operation {
      let usage = finding.usage.map { "; \($0.shortText) uses" } ?? ""
      let paths = list(finding.paths.filter { !$0.isEmpty })
      let versions = finding.versions.joined(separator: ", ").onOneLine
      text += "  \(operation) (\(versions)\(usage))" + (paths.isEmpty ? "" : ": " + paths) + "\n"
    }
    let places = finding.shownPlaces.map(\.description)
    if !places.isEmpty { text += "    \(list(places).onOneLine)\n" }
    let reads = finding.reads.map(\.description)
    if !reads.isEmpty { text += "    read in \(list(reads).onOneLine)\n" }
    return text
  }

  /// Returns the first items, and the number of the others.
  static func list(_ items: [String]) -> String {
    let more = items.count - shownLimit
    return items.prefix(shownLimit).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}

extension Finding {
  /// Whether text shows the finding: it needs attention.
  fileprivate var isShownInText: Bool {
    change.criticality != .safe || change.kind == .deprecatedElementUsed
  }

  fileprivate var heading: String {
    "\(change.criticality.rawValue): \(change.message.onOneLine) [\(change.kind.rawValue)]\n"
  }
}

extension Double {
  /// The number without a fraction if it is an integer.
  var shortText: String { Int(exactly: self).map(String.init) ?? String(self) }
}
