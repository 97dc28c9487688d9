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
    types = (parent?.types ?? []) + [type]
  }

  /// Whether an object known to be of this scope's types is certainly of `type`.
  func implies(_ type: TypeID) -> Bool { types.contains { schema.isSubtype($0, of: type) } }

  /// Whether the selections of `other` hold for every object of this scope.
  func implies(_ other: FlattenScope) -> Bool { other.types.allSatisfy { implies($0) } }

  /// Adds selections that are there when `isThere` holds.
  func insert(_ selections: [IR.Selection], when isThere: Guard = .always) {
    if asked.entries.isEmpty { asked.reserveCapacity(selections.count) }
    for selection in selections {
      let isThere = isThere.and(selection.isThere)
      if case .condition(let condition) = selection.content {
        let scope = scope(for: condition.type)
        if let alias = condition.alias { scope?.name(alias, isOwn: scope !== self) }
        scope?.insert(condition.selections, when: isThere)
      } else if let key = selection.key {
        asked.add(
          key,
          Gathered(
            content: selection.content, isThere: isThere, isFromSpread: selection.isFromSpread),
          in: schema)
      }
    }
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
