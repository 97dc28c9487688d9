import GraphQLLanguage

/// The changes that affect one operation.
struct OperationCheck {
  /// A change, with the uses of the changed element.
  struct Effect {
    var change: SchemaChange
    var uses: [OperationUses.Use] = []
    /// The response paths of the uses, each once.
    private(set) var paths: [String] = []
    private var knownPaths: Set<String> = []

    init(change: SchemaChange, uses: [OperationUses.Use] = []) {
      self.change = change
      self.uses = uses
    }

    mutating func add(path: String) {
      if knownPaths.insert(path).inserted { paths.append(path) }
    }
  }

  /// The effects, in the order of the operation's text.
  private(set) var effects: [Effect] = []
  /// The indices of the effects by message.
  private var positions: [String: Int] = [:]

  init(_ document: Document, _ difference: inout SchemaDifference) {
    let uses = OperationUses(of: document, in: difference.old)
    for use in uses.uses {
      for change in difference.changes(of: use.element) {
        add(change, use, path: uses.path(of: use))
      }
    }
    addErrors(difference.new.validate([document], mode: .relay), in: document)
  }

  /// Adds a change. An element that is used in several ways is as critical as its most affected
  /// use.
  private mutating func add(_ change: SchemaChange, _ use: OperationUses.Use, path: String) {
    let index = positions[change.message] ?? effects.count
    if index == effects.count {
      positions[change.message] = index
      effects.append(Effect(change: change))
    }
    if change.criticality < effects[index].change.criticality { effects[index].change = change }
    effects[index].uses.append(use)
    effects[index].add(path: path)
  }

  /// Adds the errors of validation that no breaking change explains.
  private mutating func addErrors(_ diagnostics: [Diagnostic], in document: Document) {
    let breaking = effects.filter { $0.change.criticality == .breaking }.flatMap(\.uses)
    let name = document.definitions.lazy.compactMap(\.operationName).first
    for error in diagnostics where error.severity == .error {
      let isExplained = error.locations.contains { span in
        breaking.contains { $0.extent.contains(span) || span.contains($0.span) }
      }
      if isExplained || positions[error.message] != nil { continue }
      positions[error.message] = effects.count
      let coordinate = name.map { document.symbols[$0.symbol] } ?? ""
      effects.append(
        Effect(
          change: SchemaChange(
            .operationInvalid, coordinate, "\(error.message) [\(error.rule)]")))
    }
  }
}

extension Span {
  /// Returns whether another span starts in this one.
  fileprivate func contains(_ other: Span) -> Bool {
    source == other.source && start <= other.start && other.start < max(end, start + 1)
  }
}

extension Definition {
  /// The name of an operation; `nil` for other definitions.
  fileprivate var operationName: Name? {
    if case .operation(let operation) = self { operation.name } else { nil }
  }
}
