import GraphQLLanguage

/// The selections of one selection set or one of its type conditions, merged by response key,
/// fragment and type.
final class FlattenScope {
  /// The merged occurrences of one selection key.
  struct Gathered {
    /// One occurrence of a linked field: its guard, type and selections.
    struct Occurrence {
      let condition: Guard
      /// The type of the object. It may be wider than in another occurrence.
      let type: TypeID
      let selections: [IR.Selection]
    }

    /// The content of the first occurrence, with the details of the others merged in.
    var content: IR.Selection.Content
    var condition: Guard
    var isImplicit: Bool
    /// The occurrences with selections; empty for a single occurrence, whose selections are in
    /// `content`.
    var occurrences: [Occurrence] = []
    /// The reason why two fields with this key cannot be merged, if any. Validation does not find
    /// conflicts caused by fragment arguments.
    var conflict: IR.Field.Conflict?

    mutating func merge(_ other: Gathered, in schema: Schema) {
      if occurrences.isEmpty { occurrences = allOccurrences }
      occurrences += other.allOccurrences
      if case .field(let field) = content, case .field(let added) = other.content {
        conflict = conflict ?? other.conflict ?? field.conflict(with: added, in: schema)
        content = .field(field.merging(added))
      }
      if case .spread(var spread) = content, case .spread(let added) = other.content,
        let deferral = spread.deferral
      {
        spread.deferral = deferral.merging(added.deferral)
        content = .spread(spread)
      }
      condition = condition.or(other.condition)
      isImplicit = isImplicit && other.isImplicit
    }

    private var allOccurrences: [Occurrence] {
      guard occurrences.isEmpty, case .field(let field) = content, !field.selections.isEmpty else {
        return occurrences
      }
      return [
        Occurrence(
          condition: condition, type: field.type.named, selections: field.selections)
      ]
    }
  }

  /// One element of a scope: a key or a nested type condition.
  enum Entry {
    case selection(SelectionKey)
    case condition(FlattenScope)
  }

  let type: TypeID
  /// The types that every object in this scope satisfies: the types of enclosing scopes, and
  /// `type`.
  let types: [TypeID]
  /// The enclosing scope. Unowned, because the root of the tree retains all scopes.
  unowned let parent: FlattenScope?
  /// The name that `@alias` gives the type condition.
  private(set) var alias: Symbol?
  /// An `@alias` without effect, because the condition always holds or has a different alias.
  private(set) var ineffectiveAlias: Symbol?
  /// The guard of the selection set, which is also included in the guards of its selections.
  let condition: Guard
  private let schema: Schema
  private let purpose: Flatten.Purpose
  private var contents = Contents()
  /// The fragments whose spreads are expanded in this scope, with their guards.
  private var expanded: [Symbol: Guard] = [:]
  /// The number of enclosing scopes.
  private let depth: Int
  /// The maximum nesting depth of type conditions.
  static let depthLimit = 100
  /// Whether a type condition was dropped because of ``depthLimit``.
  private(set) var isTooDeep = false

  /// The merged selections and the type conditions. Combined in one value, because each access to a
  /// stored property of a class has a cost.
  private struct Contents {
    var entries: [Entry] = []
    var positions = KeyPositions()
    var gathered: [Gathered] = []
    var conditions: [FlattenScope] = []

    subscript(_ key: SelectionKey) -> Gathered? { positions[key].map { gathered[$0] } }

    mutating func reserveCapacity(_ count: Int) {
      entries.reserveCapacity(count)
      gathered.reserveCapacity(count)
      positions.reserveCapacity(count)
    }

    mutating func add(_ key: SelectionKey, _ new: Gathered, in schema: Schema) {
      if let position = positions[key] {
        gathered[position].merge(new, in: schema)
      } else {
        positions.append(key)
        gathered.append(new)
        entries.append(.selection(key))
      }
    }
  }

  /// The keys and type conditions of the scope, in source order.
  var entries: [Entry] { contents.entries }

  /// The flattened selections, built by ``Flatten``.
  var built = Built()

  /// Flattened selections by key.
  struct Built {
    private var positions = KeyPositions()
    private var selections: [IR.Selection] = []
    /// The keys that only implied scopes have, in order.
    var impliedKeys: [SelectionKey] = []

    subscript(_ key: SelectionKey) -> IR.Selection? { positions[key].map { selections[$0] } }

    mutating func append(_ selection: IR.Selection, for key: SelectionKey) {
      positions.append(key)
      selections.append(selection)
    }
  }

  init(
    type: TypeID, parent: FlattenScope? = nil, condition: Guard = .always,
    purpose: Flatten.Purpose, schema: Schema
  ) {
    self.type = type
    self.purpose = purpose
    self.parent = parent
    self.condition = parent?.condition ?? condition
    self.schema = schema
    depth = parent.map { $0.depth + 1 } ?? 0
    types = (parent?.types ?? []) + [type]
  }

  /// Returns whether an object with this scope's types is always of type `type`.
  func implies(_ type: TypeID) -> Bool { types.contains { schema.isSubtype($0, of: type) } }

  /// Returns whether every object in this scope satisfies the type conditions of `other`.
  func implies(_ other: FlattenScope) -> Bool { other.types.allSatisfy { implies($0) } }

  /// A stack frame of ``insert(_:on:when:expanding:)``: the selections to add, and the index of the
  /// next one.
  private struct Frame {
    let scope: FlattenScope
    /// The type of the innermost enclosing selection set in the operation text. The scope's types
    /// may be narrower than the text shows.
    let type: TypeID
    let selections: [IR.Selection]
    let condition: Guard
    var next = 0
  }

  /// Adds selections under a guard.
  ///
  /// The traversal uses an explicit stack instead of recursion, because chains of fragment spreads
  /// can be long.
  ///
  /// - Parameters:
  ///   - type: The type of the object that the selections are written for.
  ///   - fragments: The fragments whose spreads are expanded; `nil` preserves spreads.
  func insert(
    _ selections: [IR.Selection], on type: TypeID, when condition: Guard = .always,
    expanding fragments: [Symbol: IR.Fragment]? = nil
  ) {
    if contents.entries.isEmpty { contents.reserveCapacity(selections.count) }
    var stack: [Frame] = []
    var frame = Frame(scope: self, type: type, selections: selections, condition: condition)
    while true {
      guard frame.next < frame.selections.count else {
        guard let outer = stack.popLast() else { return }
        frame = outer
        continue
      }
      let selection = frame.selections[frame.next]
      frame.next += 1
      let condition = frame.condition.and(selection.condition)
      var inner: Frame?
      switch selection.content {
      case .inlineFragment(let fragment):
        inner = frame.scope.frame(of: fragment, inside: frame.type, when: condition)
      case .spread(let spread) where fragments != nil:
        inner = fragments?[spread.name].flatMap {
          frame.scope.frame(of: $0, inside: frame.type, when: condition)
        }
      case .field, .spread: frame.scope.add(selection, when: condition)
      }
      if let inner {
        stack.append(frame)
        frame = inner
      }
    }
  }

  private func add(_ selection: IR.Selection, when condition: Guard) {
    guard let key = selection.key else { return }
    contents.add(
      key,
      Gathered(
        content: selection.content, condition: condition, isImplicit: selection.isImplicit),
      in: schema)
  }

  private func frame(
    of fragment: IR.InlineFragment, inside type: TypeID, when condition: Guard
  ) -> Frame? {
    let isImplied = textImplies(fragment, inside: type)
    guard let scope = scope(for: fragment.type, isImplied: isImplied) else { return nil }
    if let alias = fragment.alias { scope.name(alias, isOwn: scope !== self) }
    if scope === self, !isImplied { addDiscriminator(of: fragment.type, when: condition) }
    return Frame(
      scope: scope, type: isImplied ? type : fragment.type, selections: fragment.selections,
      condition: condition)
  }

  /// Returns a frame for the selections of a fragment; `nil` when the scope already has them
  /// whenever this spread is included.
  private func frame(
    of fragment: IR.Fragment, inside type: TypeID, when condition: Guard
  ) -> Frame? {
    let isImplied = schema.isSubtype(type, of: fragment.type)
    guard let scope = scope(for: fragment.type, isImplied: isImplied) else { return nil }
    if scope === self, !isImplied { addDiscriminator(of: fragment.type, when: condition) }
    if let expanded = scope.expanded[fragment.name] {
      if condition.implies(expanded) { return nil }
    } else {
      scope.expanded[fragment.name] = condition
    }
    return Frame(
      scope: scope, type: fragment.type, selections: fragment.selections, condition: condition)
  }

  // MARK: The text

  /// Returns whether an operation text can omit the condition for an inline fragment. The enclosing
  /// selection set's type must imply the fragment's type and declare the fields inside in the same
  /// way.
  ///
  /// Validation judges a selection only by that type. A field of an object may have a narrower type
  /// than the same field of an interface, which allows different conditions.
  private func textImplies(_ fragment: IR.InlineFragment, inside type: TypeID) -> Bool {
    if purpose == .plan || type == fragment.type { return true }
    guard schema.isSubtype(type, of: fragment.type) else { return false }
    let (own, other) = (schema[type], schema[fragment.type])
    return fragment.selections.allSatisfy { selection in
      guard case .field(let field) = selection.content,
        let left = schema.field(named: field.name, on: own),
        let right = schema.field(named: field.name, on: other)
      else { return true }
      return left.type == right.type
        && field.arguments.allSatisfy { argument in
          // A variable for an argument with a default value may be null.
          right.arguments[named: argument.name]?.defaultValue == nil
            || left.arguments[named: argument.name]?.defaultValue != nil
        }
    }
  }

  /// Selects `__isA: __typename` for an abstract type whose condition is dropped here but present
  /// in the text, in a fragment on a wider type. Readers of the fragment need it: the store learns
  /// from it that a type missing from the compiled schema satisfies the condition.
  ///
  /// It is selected on the object itself, because no condition of this program depends on it.
  private func addDiscriminator(of type: TypeID, when condition: Guard) {
    guard purpose == .normalization, schema[type].isAbstract,
      let field = IR.Field.discriminator(of: type, in: schema)
    else { return }
    var root = self
    while let parent = root.parent { root = parent }
    root.add(IR.Selection(field, isImplicit: true), when: condition)
  }

  /// The merged selections in this scope itself, in order, without type conditions.
  var allGathered: [Gathered] { contents.gathered }

  /// The merged selections for a key in this scope itself.
  subscript(_ key: SelectionKey) -> Gathered? { contents[key] }

  private func name(_ alias: Symbol, isOwn: Bool) {
    if !isOwn || (self.alias != nil && self.alias != alias) {
      ineffectiveAlias = alias
    } else {
      self.alias = alias
    }
  }

  /// Returns the scope for a type condition: this one if the condition always holds, `nil` if it
  /// never does.
  ///
  /// - Parameter isImplied: Whether a text can omit the condition.
  private func scope(for type: TypeID, isImplied: Bool) -> FlattenScope? {
    if purpose == .text ? isImplied : implies(type) { return self }
    if let scope = contents.conditions.first(where: { $0.type == type }) { return scope }
    let isPossible = types.allSatisfy { schema.doTypesOverlap(schema[$0], schema[type]) }
    guard isPossible else { return nil }
    guard depth < Self.depthLimit else {
      isTooDeep = true
      return nil
    }
    let scope = FlattenScope(type: type, parent: self, purpose: purpose, schema: schema)
    contents.conditions.append(scope)
    contents.entries.append(.condition(scope))
    return scope
  }

  /// This scope and all nested scopes, in source order. Each scope precedes its nested scopes.
  var tree: [FlattenScope] {
    var result = [self]
    for entry in entries {
      if case .condition(let scope) = entry { result += scope.tree }
    }
    return result
  }
}
