import GraphQLLanguage

/// What one object's selections, or one of its type conditions, ask for: gathered by response key,
/// fragment and type.
final class FlattenScope {
  /// Selections with the same key are one.
  enum Key: Hashable {
    case field(Symbol)
    case spread(IR.Spread)
  }

  /// All that asks for one key.
  struct Gathered {
    /// One place that asks for it: when it is there, and what it selects.
    struct Occurrence {
      let isThere: Guard
      let selections: [IR.Selection]
    }

    /// A field has no selections here, they are in `occurrences`.
    var content: IR.Selection.Content
    var isThere: Guard
    var isFromSpread: Bool
    var occurrences: [Occurrence]
    /// Where two fields with the key differ in their name or arguments, if they do; validation does
    /// not see what fragment arguments make of them.
    var conflict: [Span]?

    mutating func merge(_ other: Gathered) {
      if case .field(let field) = content, case .field(let added) = other.content {
        conflict = conflict ?? other.conflict ?? field.conflict(with: added)
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
      occurrences += other.occurrences
    }
  }

  /// What stands at one place of the scope.
  enum Entry {
    case selection(Key)
    case condition(FlattenScope)
  }

  let type: TypeID
  /// The types the object is known to have here: those of the scopes around this, and `type`.
  let types: [TypeID]
  weak let parent: FlattenScope?
  /// What `@alias` calls the type condition.
  private(set) var alias: Symbol?
  /// An `@alias` that had no effect, because the condition always holds or has another name.
  private(set) var lostAlias: Symbol?
  /// When the object is there; guards of its selections include this.
  let isThere: Guard
  private let schema: Schema
  private(set) var entries: [Entry] = []
  private(set) var gathered: [Key: Gathered] = [:]
  private var conditions: [TypeID: FlattenScope] = [:]

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
    for selection in selections {
      let isThere = isThere.and(selection.isThere)
      switch selection.content {
      case .field(var field):
        let occurrence = Gathered.Occurrence(isThere: isThere, selections: field.selections)
        field.selections = []
        add(
          .field(field.responseKey),
          Gathered(
            content: .field(field), isThere: isThere, isFromSpread: selection.isFromSpread,
            occurrences: occurrence.selections.isEmpty ? [] : [occurrence]))
      case .spread(let spread):
        add(
          .spread(spread),
          Gathered(
            content: selection.content, isThere: isThere, isFromSpread: selection.isFromSpread,
            occurrences: []))
      case .condition(let condition):
        let scope = scope(for: condition.type)
        if let alias = condition.alias { scope?.name(alias, isOwn: scope !== self) }
        scope?.insert(condition.selections, when: isThere)
      }
    }
  }

  private func name(_ alias: Symbol, isOwn: Bool) {
    if !isOwn || (self.alias != nil && self.alias != alias) {
      lostAlias = alias
    } else {
      self.alias = alias
    }
  }

  private func add(_ key: Key, _ new: Gathered) {
    if gathered[key] == nil {
      gathered[key] = new
      entries.append(.selection(key))
    } else {
      gathered[key]?.merge(new)
    }
  }

  /// The scope of a type condition: this one where it always holds, nil where it never does.
  private func scope(for condition: TypeID) -> FlattenScope? {
    if implies(condition) { return self }
    if let scope = conditions[condition] { return scope }
    let isPossible = types.allSatisfy { schema.doTypesOverlap(schema[$0], schema[condition]) }
    guard isPossible else { return nil }
    let scope = FlattenScope(type: condition, parent: self, schema: schema)
    conditions[condition] = scope
    entries.append(.condition(scope))
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
