import GraphQLLanguage

/// What one object's selections, or one of its type conditions, ask for: gathered by response key,
/// fragment and type.
final class FlattenScope {
  /// All that asks for one key.
  struct Gathered {
    /// One place that asks for it: when it is there, and what it selects.
    struct Occurrence {
      let isThere: Guard
      let selections: [IR.Selection]
    }

    /// As the first place has it; `isThere` is when any of them is there.
    var content: IR.Selection.Content
    var isThere: Guard
    var isFromSpread: Bool
    /// The places that select something; empty where only the first one does, of `content`.
    var occurrences: [Occurrence] = []
    /// Why two fields with the key cannot be one, if they cannot; validation does not see what fragment arguments make
    /// of them.
    var conflict: IR.Field.Conflict?

    mutating func merge(_ other: Gathered, in schema: Schema) {
      if occurrences.isEmpty { occurrences = allOccurrences }
      occurrences += other.allOccurrences
      if case .field(let field) = content, case .field(let added) = other.content {
        conflict = conflict ?? other.conflict ?? field.conflict(with: added, in: schema)
        content = .field(field.merging(added))
      }
      if case .spread(var spread) = content, case .spread(let added) = other.content,
        added.deferral == nil
      {
        spread.deferral = nil
        content = .spread(spread)
      }
      isThere = isThere.or(other.isThere)
      isFromSpread = isFromSpread && other.isFromSpread
    }

    private var allOccurrences: [Occurrence] {
      guard occurrences.isEmpty, case .field(let field) = content, !field.selections.isEmpty else {
        return occurrences
      }
      return [Occurrence(isThere: isThere, selections: field.selections)]
    }
  }

  /// What stands at one place of the scope.
  enum Entry {
    case selection(SelectionKey)
    case condition(FlattenScope)
  }

  let type: TypeID
  /// The types the object is known to have here: those of the scopes around this, and `type`.
  let types: [TypeID]
  /// Lives as long as the tree of scopes.
  unowned let parent: FlattenScope?
  /// What `@alias` calls the type condition.
  private(set) var alias: Symbol?
  /// An `@alias` that had no effect, because the condition always holds or has another name.
  private(set) var lostAlias: Symbol?
  /// When the object is there; guards of its selections include this.
  let isThere: Guard
  private let schema: Schema
  private var asked = Asked()
  /// The fragments opened here, each with when it is there.
  private var opened: [Symbol: Guard] = [:]
  /// How many scopes are around this.
  private let depth: Int
  /// More type conditions inside one another than these are too many.
  private static let depthLimit = 100
  /// Whether a type condition was left out for that.
  private(set) var isTooDeep = false

  /// All that is asked for. One value, because each access to a class's variable costs.
  private struct Asked {
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

  /// What stands in the scope, in order.
  var entries: [Entry] { asked.entries }

  /// What ``Flatten`` made of it.
  var built = Built()

  /// Selections by their keys.
  struct Built {
    private var positions = KeyPositions()
    private var selections: [IR.Selection] = []
    /// The keys among them that only other scopes have, in order.
    var extra: [SelectionKey] = []

    subscript(_ key: SelectionKey) -> IR.Selection? { positions[key].map { selections[$0] } }

    mutating func append(_ selection: IR.Selection, for key: SelectionKey) {
      positions.append(key)
      selections.append(selection)
    }
  }

  init(
    type: TypeID, parent: FlattenScope? = nil, isThere: Guard = .always, schema: Schema
  ) {
    self.type = type
    self.parent = parent
    self.isThere = parent?.isThere ?? isThere
    self.schema = schema
    depth = parent.map { $0.depth + 1 } ?? 0
    types = (parent?.types ?? []) + [type]
  }

  /// Whether an object known to be of this scope's types is certainly of `type`.
  func implies(_ type: TypeID) -> Bool { types.contains { schema.isSubtype($0, of: type) } }

  /// Whether the selections of `other` hold for every object of this scope.
  func implies(_ other: FlattenScope) -> Bool { other.types.allSatisfy { implies($0) } }

  /// Selections that are being added.
  private struct Part {
    let scope: FlattenScope
    let selections: [IR.Selection]
    let isThere: Guard
    var next = 0
  }

  /// Adds selections that are there when `isThere` holds.
  ///
  /// It does not recurse: fragments may spread others in long chains.
  ///
  /// - Parameter fragments: Those whose spreads are opened; where there are none, spreads are added.
  func insert(
    _ selections: [IR.Selection], when isThere: Guard = .always,
    opening fragments: [Symbol: IR.Fragment]? = nil
  ) {
    if asked.entries.isEmpty { asked.reserveCapacity(selections.count) }
    var waiting: [Part] = []
    var part = Part(scope: self, selections: selections, isThere: isThere)
    while true {
      guard part.next < part.selections.count else {
        guard let outer = waiting.popLast() else { return }
        part = outer
        continue
      }
      let selection = part.selections[part.next]
      part.next += 1
      let isThere = part.isThere.and(selection.isThere)
      var inner: Part?
      switch selection.content {
      case .condition(let condition):
        inner = part.scope.part(of: condition, when: isThere)
      case .spread(let spread) where fragments != nil:
        inner = fragments?[spread.name].flatMap { part.scope.part(of: $0, spread, when: isThere) }
      case .field, .spread: part.scope.add(selection, when: isThere)
      }
      if let inner {
        waiting.append(part)
        part = inner
      }
    }
  }

  private func add(_ selection: IR.Selection, when isThere: Guard) {
    guard let key = selection.key else { return }
    asked.add(
      key,
      Gathered(
        content: selection.content, isThere: isThere, isFromSpread: selection.isFromSpread),
      in: schema)
  }

  private func part(of condition: IR.TypeCondition, when isThere: Guard) -> Part? {
    guard let scope = scope(for: condition.type) else { return nil }
    if let alias = condition.alias { scope.name(alias, isOwn: scope !== self) }
    return Part(scope: scope, selections: condition.selections, isThere: isThere)
  }

  /// The selections of a fragment, unless the object has them already whenever this spread is there.
  private func part(
    of fragment: IR.Fragment, _ spread: IR.Spread, when isThere: Guard
  ) -> Part? {
    guard let scope = scope(for: fragment.type) else { return nil }
    let isThere =
      spread.deferral.map { isThere.and(Guard(.deferred($0.label, in: schema.symbols))) } ?? isThere
    if let known = scope.opened[fragment.name] {
      if isThere.implies(known) { return nil }
    } else {
      scope.opened[fragment.name] = isThere
    }
    return Part(scope: scope, selections: fragment.selections, isThere: isThere)
  }

  /// What asks for its keys in this scope itself, in order, conditions aside.
  var allGathered: [Gathered] { asked.gathered }

  /// What asks for a key in this scope itself.
  subscript(_ key: SelectionKey) -> Gathered? { asked[key] }

  private func name(_ alias: Symbol, isOwn: Bool) {
    if !isOwn || (self.alias != nil && self.alias != alias) {
      lostAlias = alias
    } else {
      self.alias = alias
    }
  }

  /// The scope of a type condition: this one where it always holds, nil where it never does.
  private func scope(for condition: TypeID) -> FlattenScope? {
    if implies(condition) { return self }
    if let scope = asked.conditions.first(where: { $0.type == condition }) { return scope }
    let isPossible = types.allSatisfy { schema.doTypesOverlap(schema[$0], schema[condition]) }
    guard isPossible else { return nil }
    guard depth < Self.depthLimit else {
      isTooDeep = true
      return nil
    }
    let scope = FlattenScope(type: condition, parent: self, schema: schema)
    asked.conditions.append(scope)
    asked.entries.append(.condition(scope))
    return scope
  }

  /// This scope and all conditions in it, in the order of the text.
  var tree: [FlattenScope] {
    var result = [self]
    for entry in entries {
      if case .condition(let scope) = entry { result += scope.tree }
    }
    return result
  }
}
