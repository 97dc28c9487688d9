/// The findings of a check.
struct CheckResult {
  /// The findings: breaking ones first, and the most used operations first.
  let findings: [Finding]
  /// The number of operations, by name.
  let operationCount: Int

  /// - Parameter findings: The findings in any order.
  init(_ findings: [Finding], operationCount: Int) {
    self.findings = findings.sorted { Self.precedes($0, $1) }
    self.operationCount = operationCount
  }

  var isBreaking: Bool { findings.contains { $0.change.criticality == .breaking } }

  /// Returns the number of different changes of a criticality.
  func count(of criticality: Criticality) -> Int {
    Set(findings.map(\.change).filter { $0.criticality == criticality }.map(\.message)).count
  }

  private static func precedes(_ left: Finding, _ right: Finding) -> Bool {
    if left.change.criticality != right.change.criticality {
      return left.change.criticality < right.change.criticality
    }
    if left.usage != right.usage { return (left.usage ?? -1) > (right.usage ?? -1) }
    if left.change.message != right.change.message {
      return left.change.message < right.change.message
    }
    return (left.operation ?? "") < (right.operation ?? "")
  }
}
