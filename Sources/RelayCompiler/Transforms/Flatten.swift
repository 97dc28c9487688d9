import GraphQLLanguage

/// Merges what is asked for more than once, and drops what is certain anyway.
///
/// Afterwards each object and each of its type conditions has every response key, fragment and type
/// once; conditions that always hold are dissolved, those that never do are gone; type conditions
/// are not guarded, what stands in them is.
package struct Flatten {
  private let schema: Schema
  /// Whether a field in a type condition carries the selections which the objects around it and
  /// implied conditions have under its key. Readers want that; in an operation's text it would be
  /// said twice.
  private let repeatsImplied: Bool

  private let budget = Budget()

  /// The most selections a definition may have when it is flattened: selections repeated in nested
  /// type conditions can double their number with every level.
  package static let selectionLimit = 50_000

  /// How many more selections the definition may have.
  private final class Budget {
    var remaining = 0
    /// A response key that stands for different fields.
    var conflict: (key: Symbol, places: [Span])?
    /// An `@alias` without effect.
    var lostAlias: Symbol?
  }

  /// The program flattened; a definition that becomes too large is reported.
  package static func apply(
    to program: IR.Program, repeatsImplied: Bool, diagnostics: inout [Diagnostic]
  ) -> IR.Program {
    let pass = Flatten(schema: program.schema, repeatsImplied: repeatsImplied)
    var tooLarge: [Name] = []
    var conflicts: [Diagnostic] = []
    var result = program
    for (index, operation) in program.operations.enumerated() {
      result.operations[index].selections = pass.selections(
        operation.selections, on: operation.root)
      conflicts += pass.conflicts(in: operation.name)
      if pass.budget.remaining <= 0 { tooLarge.append(operation.name) }
    }
    for (index, fragment) in program.fragments.enumerated() {
      result.fragments[index].selections = pass.selections(fragment.selections, on: fragment.type)
      conflicts += pass.conflicts(in: fragment.definition.name)
      if pass.budget.remaining <= 0 { tooLarge.append(fragment.definition.name) }
    }
    diagnostics += conflicts.filter { !diagnostics.contains($0) }
    for name in tooLarge {
      let diagnostic = Diagnostic(
        rule: "definition-size",
        message:
          "\"\(program.symbols[name.symbol])\" selects more than \(selectionLimit) fields when "
          + "its type conditions are taken into account. Nest fewer of them, or split it.",
        at: name.span)
      if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }
    return result
  }

  private init(schema: Schema, repeatsImplied: Bool) {
    self.schema = schema
    self.repeatsImplied = repeatsImplied
  }

  private func selections(_ selections: [IR.Selection], on type: TypeID) -> [IR.Selection] {
    budget.remaining = Self.selectionLimit
    budget.conflict = nil
    budget.lostAlias = nil
    let scope = FlattenScope(type: type, schema: schema)
    scope.insert(selections)
    return build(scope)
  }

  /// What the definition that was flattened last cannot say.
  private func conflicts(in definition: Name) -> [Diagnostic] {
    let name = schema.symbols[definition.symbol]
    var result: [Diagnostic] = []
    if let (key, places) = budget.conflict {
      let known = places.filter(\.isKnown)
      result.append(
        Diagnostic(
          rule: "overlapping-fields-can-be-merged",
          message: "Fields \"\(schema.symbols[key])\" in \"\(name)\" conflict because fragments "
            + "with different arguments give them differing arguments. Use different aliases on "
            + "the fields.",
          locations: known.isEmpty ? [definition.span] : known,
          labels: known.isEmpty ? [] : [.init(definition.span, "selected together here")]))
    }
    if let alias = budget.lostAlias {
      result.append(
        Diagnostic(
          rule: "alias",
          message: "The @alias \"\(schema.symbols[alias])\" in \"\(name)\" has no effect: its type "
            + "condition always holds, or has another alias. Remove it.", at: definition.span))
    }
    return result
  }

  // MARK: One object

  /// What was built for the scopes of one object, by scope.
  private typealias Built = [ObjectIdentifier: [FlattenScope.Key: IR.Selection]]

  private func build(_ root: FlattenScope) -> [IR.Selection] {
    budget.remaining -= root.entries.count
    guard budget.remaining > 0 else { return [] }
    let tree = root.tree
    if let alias = tree.lazy.compactMap(\.lostAlias).first { budget.lostAlias = alias }
    var built: Built = [:]
    if tree.count == 1 {
      let selections: [IR.Selection] = root.entries.compactMap { entry in
        guard case .selection(let key) = entry else { return nil }
        return root.gathered[key].map { selection($0, inside: root.isThere) }
      }
      return notEmpty(selections)
    }
    var extra: [ObjectIdentifier: [FlattenScope.Key]] = [:]
    for scope in tree {
      extra[ObjectIdentifier(scope)] = build(scope, of: tree, into: &built)
    }
    return notEmpty(assemble(root, built: built, extra: extra))
  }

  /// An object of whose selections none can be is asked for its type's name.
  private func notEmpty(_ selections: [IR.Selection]) -> [IR.Selection] {
    guard selections.isEmpty, let typename = IR.Field.typename(in: schema) else {
      return selections
    }
    return [IR.Selection(content: .field(typename))]
  }

  /// Builds the selections that must stand in `scope`.
  ///
  /// - Returns: The keys among them that the scope does not have itself, in order.
  private func build(
    _ scope: FlattenScope, of tree: [FlattenScope], into built: inout Built
  ) -> [FlattenScope.Key] {
    let implied = repeatsImplied ? tree.filter { scope.implies($0) } : [scope]
    var ancestors: [FlattenScope] = []
    var next = scope.parent
    while let ancestor = next {
      ancestors.append(ancestor)
      next = ancestor.parent
    }
    var keys: [FlattenScope.Key] = scope.entries.compactMap {
      if case .selection(let key) = $0 { key } else { nil }
    }
    let own = keys.count
    if repeatsImplied { keys += contested(scope, implied: implied) }
    var extra: [FlattenScope.Key] = []
    var result: [FlattenScope.Key: IR.Selection] = [:]
    for (index, key) in keys.enumerated() {
      guard let selection = merged(key, of: implied) else { continue }
      let others = index < own ? ancestors : implied.filter { $0 !== scope }
      if others.contains(where: { covers(built[ObjectIdentifier($0)]?[key], selection) }) {
        continue
      }
      result[key] = selection
      if index >= own { extra.append(key) }
    }
    built[ObjectIdentifier(scope)] = result
    return extra
  }

  /// The keys that `scope` lacks and at least two implied scopes have, not all of them around it.
  private func contested(
    _ scope: FlattenScope, implied: [FlattenScope]
  ) -> [FlattenScope.Key] {
    let others = implied.filter { $0 !== scope }
    let outer = scope.parent.map { parent in others.filter { parent.implies($0) }.count } ?? 0
    guard others.count > outer else { return [] }
    var result: [FlattenScope.Key] = []
    for entry in others.flatMap(\.entries) {
      guard case .selection(let key) = entry, scope.gathered[key] == nil, !result.contains(key),
        others.count(where: { $0.gathered[key] != nil }) > 1
      else { continue }
      result.append(key)
    }
    return result
  }

  private func merged(_ key: FlattenScope.Key, of scopes: [FlattenScope]) -> IR.Selection? {
    var result: FlattenScope.Gathered?
    for scope in scopes {
      guard let next = scope.gathered[key] else { continue }
      if result == nil { result = next } else { result?.merge(next) }
    }
    return result.map { selection($0, inside: scopes.first?.isThere ?? .always) }
  }

  /// Whether an outer selection makes an inner one needless.
  private func covers(_ outer: IR.Selection?, _ inner: IR.Selection) -> Bool {
    guard let outer, inner.isThere.implies(outer.isThere) else { return false }
    guard case .field(let field) = inner.content else { return true }
    if field.selections.isEmpty { return !field.isKey || outer.isKey }
    return repeatsImplied && outer.content == inner.content
  }

  /// - Parameter isThere: When the object is there that the selection is of.
  private func selection(
    _ gathered: FlattenScope.Gathered, inside isThere: Guard
  ) -> IR.Selection {
    var content = gathered.content
    if let places = gathered.conflict, case .field(let field) = content {
      budget.conflict = (field.responseKey, places)
    }
    if case .field(var field) = content, !gathered.occurrences.isEmpty {
      let scope = FlattenScope(
        type: field.type.named, isThere: isThere.and(gathered.isThere), schema: schema)
      for occurrence in gathered.occurrences {
        scope.insert(occurrence.selections, when: occurrence.isThere)
      }
      field.selections = build(scope)
      content = .field(field)
    }
    return IR.Selection(
      content: content, isThere: gathered.isThere.without(isThere),
      isFromSpread: gathered.isFromSpread)
  }

  private func assemble(
    _ scope: FlattenScope, built: Built, extra: [ObjectIdentifier: [FlattenScope.Key]]
  ) -> [IR.Selection] {
    let selections = built[ObjectIdentifier(scope)] ?? [:]
    var result: [IR.Selection] = []
    for entry in scope.entries {
      switch entry {
      case .selection(let key): if let selection = selections[key] { result.append(selection) }
      case .condition(let inner):
        let content = assemble(inner, built: built, extra: extra)
        // A text may not have it; on an abstract type it gets a discriminator.
        if content.isEmpty, !repeatsImplied, !schema[inner.type].isAbstract { continue }
        result.append(
          IR.Selection(
            content: .condition(
              IR.TypeCondition(type: inner.type, alias: inner.alias, selections: content))))
      }
    }
    return result + (extra[ObjectIdentifier(scope)] ?? []).compactMap { selections[$0] }
  }
}

extension IR.Selection {
  /// Whether records are known by it.
  fileprivate var isKey: Bool { if case .field(let field) = content { field.isKey } else { false } }
}
