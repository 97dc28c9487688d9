import GraphQLLanguage
import RelayCompiler

/// A check of operations against a new schema. It collects the findings of all versions.
struct CompatibilityCheck {
  /// The identity of a finding: versions of an operation share it.
  private struct Key: Hashable {
    let operation: String?
    let message: String
  }

  /// The identity of an operation's text.
  private struct Text: Hashable {
    let old: ObjectIdentifier
    let source: SourceID
  }

  let new: Schema
  /// The differences from each old schema.
  private var differences: [ObjectIdentifier: SchemaDifference] = [:]
  private var checks: [Text: OperationCheck] = [:]
  private var findings: [Finding] = []
  private var positions: [Key: Int] = [:]
  private var operations: Set<String> = []

  init(against new: Schema) { self.new = new }

  /// Checks operations: of manifests first, then of the project.
  ///
  /// - Parameters:
  ///   - old: The schema that the operations were made with.
  ///   - uses: The project's documents; `nil` for manifests.
  /// - Throws: ``ConfigurationError`` for an operation that the old schema does not allow.
  mutating func add(
    _ checked: [CheckedOperation], madeWith old: Schema, _ uses: ProjectUses? = nil
  ) throws(ConfigurationError) {
    for operation in checked {
      operations.insert(operation.name)
      for effect in try check(operation, madeWith: old).effects {
        let index = index(of: effect.change, in: operation.name)
        findings[index].add(effect, operation)
        if let uses {
          findings[index].places = uses.places(of: effect, in: operation)
          findings[index].reads = uses.reads(of: effect, in: operation)
        }
      }
    }
  }

  /// Adds errors of the project's documents against the new schema, except at places that already
  /// have a breaking finding.
  mutating func add(_ errors: [(diagnostic: Diagnostic, place: SourceLocation)]) {
    let known = Set(
      findings.filter { $0.change.criticality == .breaking }.flatMap(\.places).map(Line.init))
    for (error, place) in errors where !known.contains(Line(place)) {
      let finding = Finding(error, at: place)
      let index = index(of: finding.change, in: nil)
      findings[index].places += finding.places
      findings[index].versions = finding.versions
    }
  }

  /// Returns the findings with the counts of their operations.
  func result(_ usage: UsageCounts) -> CheckResult {
    let counted = findings.map { finding in
      var finding = finding
      finding.usage = finding.operation.flatMap { usage[$0] }
      return finding
    }
    return CheckResult(counted, operationCount: operations.count)
  }

  private struct Line: Hashable {
    let path: String
    let line: Int

    init(_ place: SourceLocation) { (path, line) = (place.path, place.line) }
  }

  private mutating func index(of change: SchemaChange, in operation: String?) -> Int {
    let key = Key(operation: operation, message: change.message)
    if let index = positions[key] { return index }
    positions[key] = findings.count
    findings.append(Finding(change: change, operation: operation))
    return findings.count - 1
  }

  private mutating func check(
    _ operation: CheckedOperation, madeWith old: Schema
  ) throws(ConfigurationError) -> OperationCheck {
    let text = Text(old: ObjectIdentifier(old), source: operation.document.source)
    if let known = checks[text] { return known }
    let errors = old.validate([operation.document], mode: .relay)
    if let error = errors.first(where: { $0.severity == .error }) {
      throw operation.mismatch(error.message)
    }
    var difference =
      differences.removeValue(forKey: text.old) ?? SchemaDifference(from: old, to: new)
    let check = OperationCheck(operation.document, &difference)
    differences[text.old] = difference
    checks[text] = check
    return check
  }
}

extension CheckedOperation {
  /// Returns the error for an operation that was made with another schema.
  fileprivate func mismatch(_ problem: String) -> ConfigurationError {
    let message =
      "Operation \"\(name)\" does not fit the schema that it is compared with: \(problem) "
      + "Name the schema that the manifest was made with by --against."
    return location.map { ConfigurationError(message, at: $0) } ?? ConfigurationError(message)
  }
}

extension Finding {
  /// Adds the effect on one version of the operation.
  fileprivate mutating func add(
    _ effect: OperationCheck.Effect, _ operation: CheckedOperation
  ) {
    if effect.change.criticality < change.criticality { change = effect.change }
    let version = operation.version ?? CheckedOperation.currentVersion
    if !versions.contains(version) { versions.append(version) }
    let known = Set(paths)
    paths += effect.paths.filter { !known.contains($0) }
    if let location = operation.location { manifestPlaces.append(location) }
  }
}
