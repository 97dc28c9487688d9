import GraphQLLanguage
import RelayStore

/// The collected fields of one object, divided into those that are executed now and those of later
/// parts.
struct FieldDivision {
  /// The fields to execute now.
  private(set) var current: [FieldGroup] = []
  /// The fields of later parts.
  private(set) var deferred: [DeferredGroup] = []
  /// The scope of the object's fields: the enclosing one, with the deferred fragments of the object.
  let scope: DeferScope

  init(_ collector: FieldCollector, on object: ResponseObject, in outer: DeferScope) {
    var scope = outer
    // A fragment comes after the one around it.
    for case let usage? in collector.deferred.map(\.usage) {
      scope.fragments[usage] = DeferredFragment(
        label: usage.label, path: object.path, parent: usage.parent.flatMap { scope.fragments[$0] })
    }
    self.scope = scope
    switch collector.context.strategy {
    case .deduplicated: divide(collector.groups, on: object)
    case .separate:
      current = collector.groups
      for set in collector.deferred {
        guard let usage = set.usage else { continue }
        add([usage], .selections(set), on: object)
      }
    case nil: current = collector.groups
    }
  }

  /// Assigns each field to the parts that select it first.
  private mutating func divide(_ groups: [FieldGroup], on object: ResponseObject) {
    let now = Set(scope.current)
    var later: [(usages: [DeferUsage], fields: [FieldGroup])] = []
    var positions: [Set<DeferUsage>: Int] = [:]
    for group in groups {
      let usages = Self.usages(of: group)
      let set = Set(usages)
      if set == now {
        current.append(group)
      } else if let position = positions[set] {
        later[position].fields.append(group)
      } else {
        positions[set] = later.count
        later.append((usages, [group]))
      }
    }
    for part in later { add(part.usages, .fields(part.fields), on: object) }
  }

  /// Returns the outermost `@defer`s that select a field; none when it is selected without.
  private static func usages(of group: FieldGroup) -> [DeferUsage] {
    var usages: [DeferUsage] = []
    for field in group.fields {
      guard let usage = field.usage else { return [] }
      if !usages.contains(usage) { usages.append(usage) }
    }
    return usages.filter { !$0.isInside(any: usages) }
  }

  private mutating func add(
    _ usages: [DeferUsage], _ content: DeferredGroup.Content, on object: ResponseObject
  ) {
    var scope = scope
    scope.current = usages
    deferred.append(
      DeferredGroup(
        fragments: usages.compactMap { scope.fragments[$0] }, object: object, content: content,
        scope: scope))
  }
}
