import GraphQLLanguage
import RelayStore

/// A field of a selection set, and the deferred fragment from which it was collected.
struct CollectedField: Sendable {
  let field: Field
  /// The innermost enclosing deferred fragment; `nil` without one, or if `@defer` is ignored.
  let enclosing: DeferredFragment?
}

/// The fields of one object with the same response key, at least one.
struct FieldGroup: Sendable {
  let key: Symbol
  var fields: [CollectedField]
}

/// A selection set to collect fields from, and its enclosing deferred fragment.
struct SelectedSet: Sendable {
  let set: SelectionSet
  let enclosing: DeferredFragment?
}

/// A collector of an object's selected fields, grouped by response key in the order of the request.
///
/// Source: GraphQL specification, section 6.3.2.
struct FieldCollector {
  private struct Visit: Hashable {
    let enclosing: DeferredFragment?
    let fragment: Symbol
  }

  /// The maximum number of deferred fragments on one object. Fragments that spread each other twice
  /// could produce exponentially many.
  private static let deferredLimit = 10_000

  let context: ExecutionContext
  /// The object's type, which decides whether a type condition applies.
  let type: NamedType
  /// The object's path in the response.
  let path: ResponsePath
  /// The response keys with their fields, in the order of first occurrence.
  private(set) var groups: [FieldGroup] = []
  /// The selection sets with `@defer` found on the object, outer ones first.
  private(set) var deferred: [SelectedSet] = []
  private var positions: [Symbol: Int] = [:]
  private var visited: Set<Visit> = []

  init(context: ExecutionContext, type: NamedType, path: ResponsePath) {
    self.context = context
    self.type = type
    self.path = path
  }

  /// Adds the fields of a selection set that apply to the object.
  ///
  /// - Throws: ``CoercionFailure`` if the condition of a directive has no value.
  mutating func collect(_ selected: SelectedSet) throws {
    let enclosing = selected.enclosing
    for selection in selected.set.selections where try isIncluded(selection.directives) {
      switch selection {
      case .field(let field): add(CollectedField(field: field, enclosing: enclosing))
      case .inlineFragment(let fragment):
        guard applies(fragment.typeCondition) else { continue }
        try collect(fragment.selectionSet, enclosing, fragment.directives)
      case .fragmentSpread(let spread):
        guard let fragment = context.request.fragments[spread.name.symbol],
          applies(fragment.typeCondition)
        else { continue }
        let isDeferred = try deferredFragment(spread.directives, inside: enclosing) != nil
        let visit = Visit(enclosing: enclosing, fragment: spread.name.symbol)
        guard isDeferred || visited.insert(visit).inserted else { continue }
        try collect(fragment.selectionSet, enclosing, spread.directives)
      }
    }
  }

  /// Adds or defers the fields of a fragment.
  private mutating func collect(
    _ set: SelectionSet, _ enclosing: DeferredFragment?, _ directives: [Directive]
  ) throws {
    guard let inner = try deferredFragment(directives, inside: enclosing) else {
      return try collect(SelectedSet(set: set, enclosing: enclosing))
    }
    guard deferred.count < Self.deferredLimit else {
      throw CoercionFailure(message: "More than \(Self.deferredLimit) fragments are deferred.")
    }
    let selected = SelectedSet(set: set, enclosing: inner)
    deferred.append(selected)
    if context.strategy == .deduplicated { try collect(selected) }
  }

  private mutating func add(_ field: CollectedField) {
    let key = field.field.responseKey
    if let position = positions[key] {
      groups[position].fields.append(field)
    } else {
      positions[key] = groups.count
      groups.append(FieldGroup(key: key, fields: [field]))
    }
  }

  private func applies(_ condition: Name?) -> Bool {
    guard let condition else { return true }
    guard let wanted = context.schema.type(named: condition.symbol) else { return false }
    return context.schema.isSubtype(type.id, of: wanted.id)
  }

  private func isIncluded(_ directives: [Directive]) throws -> Bool {
    if let skip = directives[named: .skip], try condition(of: skip) { return false }
    guard let include = directives[named: .include] else { return true }
    return try condition(of: include)
  }

  private func condition(of directive: Directive) throws -> Bool {
    try context.arguments(of: directive)?["if"]?.bool ?? false
  }

  private func deferredFragment(
    _ directives: [Directive], inside enclosing: DeferredFragment?
  ) throws -> DeferredFragment? {
    guard context.strategy != nil, let symbol = context.schema.symbols.find("defer"),
      let directive = directives[named: symbol],
      let arguments = try context.arguments(of: directive), arguments["if"]?.bool != false
    else { return nil }
    return DeferredFragment(label: arguments["label"]?.string, path: path, parent: enclosing)
  }
}
