import GraphQLLanguage

/// The slots of one object's row, and the scopes in which they are selected.
struct ObjectLayout {
  /// The selections of the object itself, which is the first scope, or of one of its type
  /// conditions.
  struct Scope {
    let type: TypeID
    /// The types that every object of this scope satisfies, outermost first.
    let types: [TypeID]
    /// The slot of the type condition; `nil` for the object itself.
    let slot: Int?
    let parent: Int?
    var children: [Int] = []
  }

  /// One case of an optimistic response: the objects that satisfy the same type conditions.
  struct Case {
    /// The types that define the case: one object type, or abstract types; empty when no condition
    /// holds.
    let types: [TypeID]
    /// The scope added for the case.
    let scope: Int
  }

  /// A field, spread or type condition.
  struct Slot {
    let content: IR.Selection.Content
    let condition: Guard
    let isImplicit: Bool
    /// The scope that contains the slot.
    let scope: Int
    /// The scope of a type condition's own selections; `nil` for other slots.
    var innerScope: Int?
  }

  private(set) var scopes: [Scope]
  private(set) var slots: [Slot] = []
  private let schema: Schema

  /// Lays out flattened selections.
  init(_ selections: [IR.Selection], on type: TypeID, schema: Schema) {
    self.schema = schema
    scopes = [Scope(type: type, types: [type], slot: nil, parent: nil)]
    add(selections, scope: 0)
  }

  private mutating func add(_ selections: [IR.Selection], scope: Int) {
    for selection in selections {
      slots.append(
        Slot(
          content: selection.content, condition: selection.condition,
          isImplicit: selection.isImplicit, scope: scope))
      guard case .inlineFragment(let fragment) = selection.content else { continue }
      let inner = scopes.count
      slots[slots.count - 1].innerScope = inner
      scopes.append(
        Scope(
          type: fragment.type, types: scopes[scope].types + [fragment.type],
          slot: slots.count - 1, parent: scope))
      scopes[scope].children.append(inner)
      add(fragment.selections, scope: inner)
    }
  }

  /// Whether a scope contains linked fields or type conditions.
  func hasNested(_ scope: Int) -> Bool {
    slots.contains { slot in
      guard slot.scope == scope else { return false }
      return switch slot.content {
      case .field(let field): !field.selections.isEmpty
      case .inlineFragment: true
      case .spread: false
      }
    }
  }

  /// Adds a scope for each set of type conditions that an object can satisfy.
  ///
  /// - Returns: The cases in the order of their conditions; the case without conditions comes last.
  mutating func addCases() -> [Case] {
    let conditions = scopes.indices.dropFirst()
    var sets: Set<[Int]> = []
    for possible in schema.possibleTypes(of: schema[scopes[0].type]) {
      sets.insert(
        conditions.filter { index in
          scopes[index].types.allSatisfy { schema.isSubtype(possible, of: $0) }
        })
    }
    let ordered = sets.sorted { $1.isEmpty || (!$0.isEmpty && $0.lexicographicallyPrecedes($1)) }
    return ordered.map { set in
      let own = scopes[0].types
      let types = narrowest(set.flatMap { scopes[$0].types.dropFirst(own.count) })
      scopes.append(Scope(type: scopes[0].type, types: own + types, slot: nil, parent: 0))
      return Case(types: types, scope: scopes.count - 1)
    }
  }

  /// The types that no other one of them implies, each once.
  private func narrowest(_ types: [TypeID]) -> [TypeID] {
    var result: [TypeID] = []
    for type in types
    where !result.contains(type)
      && !types.contains(where: { $0 != type && schema.isSubtype($0, of: type) })
    {
      result.append(type)
    }
    return result
  }

  /// The object type of every object in a scope; `nil` when several are possible.
  func concreteType(of scope: Int) -> TypeID? {
    scopes[scope].types.last { !schema[$0].isAbstract }
  }

  /// Whether every object in a scope satisfies the type conditions of another scope.
  func implies(_ scope: Int, _ other: Int) -> Bool {
    scopes[other].types.allSatisfy { outer in
      scopes[scope].types.contains { schema.isSubtype($0, of: outer) }
    }
  }

  /// Whether a scope is another scope or one of its ancestors.
  func encloses(_ outer: Int, _ inner: Int) -> Bool {
    var next: Int? = inner
    while let scope = next {
      if scope == outer { return true }
      next = scopes[scope].parent
    }
    return false
  }

  /// The slots of a scope that have the same selection key, and so become one member.
  struct Member {
    /// The slot that represents the others; see ``ObjectLayout/members(of:)``.
    let slot: Int
    var others: [Int] = []

    var all: [Int] { [slot] + others }
  }

  /// The slots that every object in a scope has, grouped by their selection keys.
  ///
  /// The slot of a group that represents the others is the slot in the scope itself, or else the
  /// slot whose scope implies the scopes of the others: flattening repeats in it the selections of
  /// the others. When there is none, it is the slot of the innermost enclosing scope, or the first.
  func members(of scope: Int) -> [Member] {
    // Without type conditions each key occurs once.
    if scopes.count == 1 { return slots.indices.map { Member(slot: $0) } }
    var groups: [[Int]] = []
    var positions = KeyPositions()
    for (index, slot) in slots.enumerated() where implies(scope, slot.scope) {
      guard let key = slot.key else { continue }
      if let position = positions[key] {
        groups[position].append(index)
      } else {
        positions.append(key)
        groups.append([index])
      }
    }
    return groups.map { group in
      if group.count == 1 { return Member(slot: group[0]) }
      let chosen = chosen(from: group, for: scope)
      return Member(slot: chosen, others: group.filter { $0 != chosen })
    }
  }

  private func chosen(from group: [Int], for scope: Int) -> Int {
    if let own = group.first(where: { slots[$0].scope == scope }) { return own }
    let richest = group.first { index in
      group.allSatisfy { implies(slots[index].scope, slots[$0].scope) }
    }
    return richest ?? group.last { encloses(slots[$0].scope, scope) } ?? group[0]
  }
}

extension ObjectLayout.Slot {
  /// The key that is equal for selections of the same member; `nil` for type conditions.
  var key: SelectionKey? { content.key }
}
