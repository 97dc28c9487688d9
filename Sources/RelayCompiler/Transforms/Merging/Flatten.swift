import GraphQLLanguage

/// A pass that merges selections with the same key, and drops selections inside type conditions
/// that an enclosing selection set already contains.
///
/// Afterwards, each selection set and each of its type conditions has every response key, spread
/// and type condition at most once. Conditions that always hold are replaced by their selections,
/// and those that never hold are removed. The ``Guard`` of a type condition moves to the selections
/// inside.
struct Flatten {
  /// The use of the flattened program.
  enum Purpose {
    /// The operation text. A server validates it, so only the type of the enclosing selection set
    /// may imply a type condition.
    case text
    /// A plan.
    case plan
    /// The normalization plan, which has the discriminators of all conditions in the text.
    case normalization
  }

  private let schema: Schema
  private let purpose: Purpose
  /// Whether a linked field inside a type condition repeats the selections that enclosing scopes
  /// and implied type conditions have for its response key. Plans need this; in an operation text,
  /// it would be redundant.
  private var repeatsImplied: Bool { purpose != .text }
  /// The fragments whose spreads are expanded, by name; `nil` to preserve spreads.
  private let expandedFragments: [Symbol: IR.Fragment]?

  private let state = DefinitionState()

  /// The maximum number of selections in a flattened definition. Repeating selections in nested
  /// type conditions can double their number at each level.
  static let selectionLimit = 50_000

  /// The state of flattening one definition: its current size, and the problems found in it.
  private final class DefinitionState {
    /// The number of further selections allowed; negative if there are too many.
    var remaining = 0
    /// Whether its type conditions nest too deeply.
    var isTooDeep = false
    /// The response keys with conflicting fields.
    var conflicts: [(key: Symbol, conflict: IR.Field.Conflict)] = []
    /// The last `@alias` found to have no effect.
    var ineffectiveAlias: Symbol?
    var seen = DuplicateDetector()
  }

  /// Flattens every definition of a program, reporting those that become too large or too deep.
  ///
  /// - Parameter expandsSpreads: Whether to replace spreads with their fragments' selections. If
  ///   so, the result has no fragments.
  package static func apply(
    to program: IR.Program, for purpose: Purpose, expandsSpreads: Bool = false,
    diagnostics: inout [Diagnostic]
  ) -> IR.Program {
    let pass = Flatten(
      schema: program.schema, purpose: purpose,
      expandedFragments: expandsSpreads ? program.fragmentsByName() : nil)
    var limits: [Diagnostic] = []
    var conflicts: [Diagnostic] = []
    var result = program
    if expandsSpreads { result.fragments = [] }
    for (index, operation) in program.operations.enumerated() {
      result.operations[index].selections = pass.selections(
        operation.selections, on: operation.root)
      conflicts += pass.conflicts(in: operation.name)
      if let limit = pass.exceededLimit(of: operation.name) { limits.append(limit) }
    }
    for (index, fragment) in result.fragments.enumerated() {
      result.fragments[index].selections = pass.selections(fragment.selections, on: fragment.type)
      conflicts += pass.conflicts(in: fragment.definition.name)
      if let limit = pass.exceededLimit(of: fragment.definition.name) { limits.append(limit) }
    }
    for conflict in conflicts where !diagnostics.contains(where: conflict.isSameMistake) {
      diagnostics.append(conflict)
    }
    for diagnostic in limits where !diagnostics.contains(diagnostic) {
      diagnostics.append(diagnostic)
    }
    return result
  }

  private func selections(_ selections: [IR.Selection], on type: TypeID) -> [IR.Selection] {
    state.remaining = Self.selectionLimit
    state.isTooDeep = false
    state.conflicts = []
    state.ineffectiveAlias = nil
    return object(selections, on: type, when: .always)
  }

  /// Returns the diagnostic for the limit that the last flattened definition exceeds; `nil` if it
  /// is within the limits.
  private func exceededLimit(of definition: Name) -> Diagnostic? {
    let name = schema.symbols[definition.symbol]
    if state.isTooDeep {
      return Diagnostic(
        rule: "definition-depth",
        message:
          "\"\(name)\" nests type conditions more than \(FlattenScope.depthLimit) levels deep. "
          + "Nest fewer of them.", at: definition.span)
    }
    if state.remaining >= 0 { return nil }
    return Diagnostic(
      rule: "definition-size",
      message:
        "\"\(name)\" selects more than \(Self.selectionLimit) fields when its type conditions "
        + "are taken into account. Nest fewer of them, or split it.", at: definition.span)
  }

  /// Returns the diagnostics of the last flattened definition.
  private func conflicts(in definition: Name) -> [Diagnostic] {
    let name = schema.symbols[definition.symbol]
    var result: [Diagnostic] = []
    for (key, conflict) in state.conflicts {
      let found = diagnostic(conflict, of: schema.symbols[key], in: definition)
      if !result.contains(found) { result.append(found) }
    }
    if let alias = state.ineffectiveAlias {
      result.append(
        Diagnostic(
          rule: "alias",
          message: "The @alias \"\(schema.symbols[alias])\" in \"\(name)\" has no effect: its type "
            + "condition always holds, or has another alias. Remove it.", at: definition.span))
    }
    return result
  }

  private func diagnostic(
    _ conflict: IR.Field.Conflict, of key: String, in definition: Name
  ) -> Diagnostic {
    let name = schema.symbols[definition.symbol]
    let (reason, found): (String, [Span]) =
      switch conflict {
      case .arguments(let spans):
        ("fragments with different arguments give them differing arguments", spans)
      case .directives(let spans):
        ("they have the same directive with differing arguments", spans)
      case .connections(let first, let second):
        ("they read the connections \"\(first)\" and \"\(second)\"", [])
      }
    let spans = found.filter(\.isKnown)
    return Diagnostic(
      rule: "overlapping-fields-can-be-merged",
      message: "Fields \"\(key)\" in \"\(name)\" conflict because \(reason). Use different aliases "
        + "on the fields.",
      locations: spans.isEmpty ? [definition.span] : spans,
      labels: spans.isEmpty ? [] : [.init(definition.span, "selected together here")])
  }

  /// Whether the definition exceeds a limit. If so, the rest of it is not flattened.
  private var exceedsLimit: Bool { state.remaining < 0 || state.isTooDeep }

  // MARK: One object

  /// Flattens a selection set that is included under `condition`.
  private func object(
    _ selections: [IR.Selection], on type: TypeID, when condition: Guard
  ) -> [IR.Selection] {
    if areFlat(selections) { return flat(selections, when: condition) }
    let scope = FlattenScope(
      type: type, condition: condition, purpose: purpose, schema: schema)
    scope.insert(selections, on: type, when: condition, expanding: expandedFragments)
    return build(scope)
  }

  /// Returns whether there is no need to merge: `selections` contain no type conditions, no spreads
  /// to expand, and no duplicate response keys or spreads.
  private func areFlat(_ selections: [IR.Selection]) -> Bool {
    state.seen.areDifferent(selections) { selection in
      switch selection.content {
      case .field(let field): field.responseKey
      case .spread(let spread): expandedFragments == nil ? spread.name : nil
      case .inlineFragment: nil
      }
    }
  }

  private func flat(_ selections: [IR.Selection], when condition: Guard) -> [IR.Selection] {
    state.remaining -= selections.count
    if exceedsLimit { return [] }
    let result = selections.replacing { selection in
      let inner = condition.and(selection.condition)
      var changed: IR.Selection?
      if case .field(let field) = selection.content, !field.selections.isEmpty {
        let selections = object(field.selections, on: field.type.named, when: inner)
        changed = selection.with(field.with(selections: selections))
      }
      if !condition.isAlways, !selection.condition.isAlways {
        changed = changed ?? selection
        changed?.condition = inner.without(condition)
      }
      return changed
    }
    return result.orTypename(in: schema)
  }

  private func build(_ root: FlattenScope) -> [IR.Selection] {
    state.remaining -= root.entries.count
    if exceedsLimit { return [] }
    let tree = root.tree
    if tree.contains(where: \.isTooDeep) {
      state.isTooDeep = true
      return []
    }
    if let alias = tree.lazy.compactMap(\.ineffectiveAlias).first { state.ineffectiveAlias = alias }
    if tree.count == 1 {
      return root.allGathered.map { selection($0, inside: root.condition) }.orTypename(in: schema)
    }
    for scope in tree { build(scope, of: tree) }
    return assemble(root).orTypename(in: schema)
  }

  /// Builds the selections that belong to `scope` itself. Its enclosing scopes must already be
  /// built.
  private func build(_ scope: FlattenScope, of tree: [FlattenScope]) {
    // In tree order. Includes the ancestors of `scope` and `scope` itself.
    let implied = repeatsImplied ? tree.filter { scope.implies($0) } : [scope]
    var ancestors: [FlattenScope] = []
    var next = scope.parent
    while let ancestor = next {
      ancestors.append(ancestor)
      next = ancestor.parent
    }
    for entry in scope.entries {
      guard case .selection(let key) = entry, let selection = merged(key, of: implied),
        !ancestors.contains(where: { covers($0.built[key], selection) })
      else { continue }
      scope.built.append(selection, for: key)
    }
    if !repeatsImplied { return }
    for key in contested(scope, implied: implied) {
      guard let selection = merged(key, of: implied),
        !implied.contains(where: { $0 !== scope && covers($0.built[key], selection) })
      else { continue }
      scope.built.append(selection, for: key)
      scope.built.impliedKeys.append(key)
    }
  }

  /// Returns the keys that `scope` does not have but at least two implied scopes do. No other scope
  /// may have the merged selections for such a key. The result is empty if the parent implies all
  /// of these scopes, because the parent then has the merged selections.
  private func contested(
    _ scope: FlattenScope, implied: [FlattenScope]
  ) -> [SelectionKey] {
    let others = implied.filter { $0 !== scope }
    let outer = scope.parent.map { parent in others.filter { parent.implies($0) }.count } ?? 0
    guard others.count > outer else { return [] }
    var result: [SelectionKey] = []
    for entry in others.flatMap(\.entries) {
      guard case .selection(let key) = entry, scope[key] == nil, !result.contains(key),
        others.count(where: { $0[key] != nil }) > 1
      else { continue }
      result.append(key)
    }
    return result
  }

  private func merged(_ key: SelectionKey, of scopes: [FlattenScope]) -> IR.Selection? {
    var result: FlattenScope.Gathered?
    for scope in scopes {
      guard let next = scope[key] else { continue }
      if result == nil { result = next } else { result?.merge(next, in: schema) }
    }
    // All scopes in a tree have the same guard.
    return result.map { selection($0, inside: scopes.first?.condition ?? .always) }
  }

  /// Returns whether the selection `outer` of an enclosing scope makes `inner` redundant.
  private func covers(_ outer: IR.Selection?, _ inner: IR.Selection) -> Bool {
    guard let outer, inner.condition.implies(outer.condition) else { return false }
    if case .spread(let spread) = inner.content, case .spread(let other) = outer.content {
      guard let deferral = other.deferral else { return true }
      return deferral.merging(spread.deferral) != nil
    }
    guard case .field(let field) = inner.content, case .field(let other) = outer.content else {
      return false
    }
    if !field.selections.isEmpty { return repeatsImplied && other.isSame(as: field) }
    return field.isRedundant(given: other, inText: !repeatsImplied)
  }

  /// - Parameter condition: The guard of the enclosing selection set.
  private func selection(
    _ gathered: FlattenScope.Gathered, inside condition: Guard
  ) -> IR.Selection {
    var content = gathered.content
    if let conflict = gathered.conflict, case .field(let field) = content {
      add(conflict, of: field.responseKey)
    }
    if case .field(let field) = content, !field.selections.isEmpty || !gathered.occurrences.isEmpty
    {
      let inner = linked(field, gathered, when: condition.and(gathered.condition))
      content = .field(field.with(selections: inner))
    }
    return IR.Selection(
      content: content, condition: gathered.condition.without(condition),
      isImplicit: gathered.isImplicit)
  }

  private func add(_ conflict: IR.Field.Conflict, of key: Symbol) {
    // Only operation texts contain server directives, so these cannot conflict in a plan.
    if case .directives = conflict, repeatsImplied { return }
    state.conflicts.append((key, conflict))
  }

  /// Flattens the merged selections of all occurrences of a linked field.
  private func linked(
    _ field: IR.Field, _ gathered: FlattenScope.Gathered, when condition: Guard
  ) -> [IR.Selection] {
    if gathered.occurrences.isEmpty {
      return object(field.selections, on: field.type.named, when: condition)
    }
    let scope = FlattenScope(
      type: field.type.named, condition: condition, purpose: purpose, schema: schema)
    for occurrence in gathered.occurrences {
      scope.insert(
        occurrence.selections, on: occurrence.type, when: occurrence.condition,
        expanding: expandedFragments)
    }
    return build(scope)
  }

  private func assemble(_ scope: FlattenScope) -> [IR.Selection] {
    var result: [IR.Selection] = []
    for entry in scope.entries {
      switch entry {
      case .selection(let key): if let selection = scope.built[key] { result.append(selection) }
      case .condition(let inner):
        let content = assemble(inner)
        // An operation text cannot contain an empty type condition. One on an abstract type is
        // retained, because ``AddDiscriminators`` adds a field to it.
        if content.isEmpty, !repeatsImplied, !schema[inner.type].isAbstract { continue }
        result.append(
          IR.Selection(
            content: .inlineFragment(
              IR.InlineFragment(type: inner.type, alias: inner.alias, selections: content))))
      }
    }
    return result + scope.built.impliedKeys.compactMap { scope.built[$0] }
  }
}

extension IR.Field {
  /// Returns whether this leaf can be dropped in favor of `other`, which an enclosing scope
  /// selects.
  ///
  /// - Parameter inText: Whether the fields belong to an operation text rather than a plan.
  fileprivate func isRedundant(given other: IR.Field, inText: Bool) -> Bool {
    if !hasDetails { return true }
    if isKey, !other.isKey { return false }
    if inText {
      return directives.allSatisfy { other.directives.contains(where: $0.isSame) }
    }
    return required == other.required && catches == other.catches
      && handles.allSatisfy { other.handles.contains(where: $0.isSame) }
  }
}

extension Diagnostic {
  /// Returns whether both report the same error. An error is found again in each program and each
  /// definition that merges the two fields.
  fileprivate func isSameMistake(as other: Diagnostic) -> Bool {
    self == other
      || (rule == other.rule && !labels.isEmpty && Set(locations) == Set(other.locations))
  }
}
