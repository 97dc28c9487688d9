import GraphQLLanguage

/// A change at one location, with all operations that it affects there.
struct CheckAnnotation {
  let change: SchemaChange
  /// The location; `nil` if the change concerns no file.
  let place: SourceLocation?
  fileprivate(set) var findings: [Finding]

  /// The change, and the operations that use the element.
  var message: String {
    let operations = findings.compactMap { finding -> String? in
      guard let operation = finding.operation else { return nil }
      let path = finding.paths.first { !$0.isEmpty }.map { " at \($0)" } ?? ""
      return "\(operation) (\(finding.versions.joined(separator: ", ")))\(path)"
    }
    if operations.isEmpty { return change.message }
    return "\(change.message) Used by \(CheckResult.list(operations))."
  }
}

extension CheckResult {
  /// The annotations, in the order of the findings.
  var annotations: [CheckAnnotation] {
    struct Key: Hashable {
      let change: SchemaChange
      let place: SourceLocation?
    }
    var annotations: [CheckAnnotation] = []
    var positions: [Key: Int] = [:]
    for finding in findings {
      let places: [SourceLocation?] = finding.shownPlaces.isEmpty ? [nil] : finding.shownPlaces
      for place in places {
        let key = Key(change: finding.change, place: place)
        if let index = positions[key] {
          annotations[index].findings.append(finding)
        } else {
          positions[key] = annotations.count
          annotations.append(
            CheckAnnotation(change: finding.change, place: place, findings: [finding]))
        }
      }
    }
    return annotations
  }
}
