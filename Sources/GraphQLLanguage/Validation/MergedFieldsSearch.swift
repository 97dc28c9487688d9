/// A search for fields that cannot be merged, for documents where comparing all pairs would take
/// too long. It merges the fields instead.
///
/// All fields of one object, including those in fragments spread on it, are grouped by response
/// key. Each group's fields are compared with its first field; then all their selections are merged
/// in the same way. The search starts at the operations and at the fragments that are never spread,
/// so the fields of a long chain of fragments are collected once. At most one conflict is reported
/// per group.
struct MergedFieldsSearch {
  /// The maximum number of fields and fragments collected in one validation.
  static let stepLimit = 20_000_000

  /// The selection sets of one object, whose fields are merged.
  private struct Object: Hashable {
    let sets: [Int]
    /// Whether the fields belong to objects of mutually exclusive types. If so, the specification's
    /// SameResponseShape applies, otherwise FieldsInSetCanMerge.
    let areExclusive: Bool
  }

  private let context: ValidationContext
  private let comparison: FieldComparison
  private var cache: CollectedFieldsCache
  /// The visited selection sets by id.
  private var sets: [Int: CollectedFields] = [:]
  private var visited: Set<Object> = []
  private var stack: [Object] = []
  /// The fragments already reached.
  private var reached: Set<Int> = []
  private var steps = 0
  private var found: [FieldConflict] = []
  private var reported: Set<[Span]> = []
  /// The field at which the step limit ended the search; `nil` if the search is complete.
  private(set) var limitSpan: Span?

  init(context: ValidationContext) {
    self.context = context
    comparison = FieldComparison(context: context)
    cache = CollectedFieldsCache(context: context)
  }

  /// Returns the conflicts of all definitions.
  mutating func conflicts() -> [FieldConflict] {
    for operation in context.operations {
      let root = context.schema.rootType(of: operation.definition.operation)
      add(
        [cache.fields(of: operation.definition.selectionSet, on: root, in: nil)],
        areExclusive: false)
    }
    let spreads = context.operations.map(\.spreads) + context.fragments.map(\.spreads)
    let spread = Set(
      spreads.joined().compactMap { [context] in context.fragmentPosition($0.name.symbol) })
    for position in context.fragments.indices where !spread.contains(position) {
      add([cache.fields(ofFragment: position)], areExclusive: false)
    }
    search()
    // The remaining fragments form cycles; the `no-fragment-cycles` rule reports these.
    for position in context.fragments.indices where !reached.contains(position) {
      add([cache.fields(ofFragment: position)], areExclusive: false)
      search()
    }
    return found
  }

  private mutating func add(_ objects: [CollectedFields], areExclusive: Bool) {
    for set in objects { sets[set.id] = set }
    let object = Object(sets: Set(objects.map(\.id)).sorted(), areExclusive: areExclusive)
    if visited.insert(object).inserted { stack.append(object) }
  }

  private mutating func search() {
    while let object = stack.popLast() {
      for fields in gathered(object) {
        guard steps <= Self.stepLimit else {
          limitSpan = limitSpan ?? fields.first?.field.span
          stack = []
          return
        }
        check(fields, areExclusive: object.areExclusive)
      }
    }
  }

  /// Returns the fields of an object, grouped by response key.
  private mutating func gathered(_ object: Object) -> [[CollectedField]] {
    var groups: [[CollectedField]] = []
    var positions: [Symbol: Int] = [:]
    var queue = object.sets.compactMap { sets[$0] }
    var enqueued: Set<Int> = []
    var next = 0
    while next < queue.count, steps <= Self.stepLimit {
      let set = queue[next]
      next += 1
      for group in set.groups {
        steps += group.fields.count
        if let position = positions[group.key] {
          groups[position] += group.fields
        } else {
          positions[group.key] = groups.count
          groups.append(group.fields)
        }
      }
      for fragment in set.fragments where enqueued.insert(fragment).inserted {
        steps += 1
        reached.insert(fragment)
        queue.append(cache.fields(ofFragment: fragment))
      }
    }
    return groups
  }

  /// Compares the fields of a response key and enqueues their selections for merging.
  private mutating func check(_ fields: [CollectedField], areExclusive: Bool) {
    let objects = areExclusive ? [] : alternatives(of: fields)
    for alternative in objects where hasConflict(alternative, areExclusive: false) { return }
    if hasConflict(fields, areExclusive: true) { return }
    for alternative in objects { enqueueSelections(of: alternative, areExclusive: false) }
    // A single alternative contains all fields and is checked more strictly.
    if objects.count != 1 { enqueueSelections(of: fields, areExclusive: true) }
  }

  /// Returns the groups of fields that can occur together in one object. There is one group per
  /// object type of a parent; it contains the fields on that type and on abstract types.
  private func alternatives(of fields: [CollectedField]) -> [[CollectedField]] {
    func isObject(_ field: CollectedField) -> Bool { field.parent?.kind == .object }
    guard fields.contains(where: isObject) else { return [fields] }
    var types: [TypeID] = []
    var byType: [TypeID: [CollectedField]] = [:]
    for field in fields where isObject(field) {
      guard let type = field.parent?.id else { continue }
      if byType[type] == nil { types.append(type) }
      byType[type, default: []].append(field)
    }
    let others = fields.filter { !isObject($0) }
    return types.map { others + (byType[$0] ?? []) }
  }

  private mutating func hasConflict(_ fields: [CollectedField], areExclusive: Bool) -> Bool {
    guard let first = fields.first else { return false }
    // The comparison is transitive, except for arguments with fragment variables, which the
    // compiler compares.
    for other in fields.dropFirst() {
      guard
        let reason = comparison.reason(
          first, other, areExclusive: areExclusive, areInDifferentDefinitions: true)
      else { continue }
      // Several operations can contain the same two fields.
      if reported.insert([first.field.span, other.field.span]).inserted {
        found.append(
          FieldConflict(
            key: first.field.responseKey, reason: reason, left: [first.field.span],
            right: [other.field.span]))
      }
      return true
    }
    return false
  }

  private mutating func enqueueSelections(of fields: [CollectedField], areExclusive: Bool) {
    let inner = fields.compactMap { field in
      field.field.selectionSet.map { set in
        cache.fields(of: set, below: field)
      }
    }
    if !inner.isEmpty { add(inner, areExclusive: areExclusive) }
  }
}
