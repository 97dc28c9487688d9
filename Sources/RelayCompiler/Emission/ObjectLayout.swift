import GraphQLLanguage

/// The slots of one object's row, and the scopes that select them.
struct ObjectLayout {
  /// The selections of either the object itself, which is the first scope, or one of its type
  /// conditions.
  struct Scope {
    let type: TypeID
    /// The types that every object in this scope satisfies, outermost first.
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

  /// Returns whether a scope contains linked fields or type conditions.
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

  /// Returns the types not implied by any other, without duplicates.
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

  /// Returns the object type of every object in a scope; `nil` when several are possible.
  func concreteType(of scope: Int) -> TypeID? {
    scopes[scope].types.last { !schema[$0].isAbstract }
  }

  /// Returns whether every object in a scope satisfies another scope's type conditions.
  func implies(_ scope: Int, _ other: Int) -> Bool {
    scopes[other].types.allSatisfy { outer in
      scopes[scope].types.contains { schema.isSubtype($0, of: outer) }
    }
  }

  /// Returns whether the outer scope is the inner one or one of its ancestors.
  func encloses(_ outer: Int, _ inner: Int) -> Bool {
    var next: Int? = inner
    while let scope = next {
      if scope == outer { return true }
      next = scopes[scope].parent
    }
    return false
  }

  /// The slots with the same selection key, which form one member of a scope.
  struct Member {
    /// The representative slot; see ``ObjectLayout/members(of:)``.
    let slot: Int
    var others: [Int] = []

    var all: [Int] { [slot] + others }
  }

  /// Returns the slots that every object in a scope has, grouped by selection key.
  ///
  /// Each group's representative is the slot in the scope itself. Failing that, it is the slot
  /// whose scope implies the scopes of all others, because flattening repeats their selections in
  /// it. Failing that too, it is the slot of the innermost enclosing scope, or the first slot.
  func members(of scope: Int) -> [Member] {
    // Without type conditions, each key occurs once.
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
  /// The key shared by all selections of the same member; `nil` for type conditions.
  var key: SelectionKey? { content.key }
}
