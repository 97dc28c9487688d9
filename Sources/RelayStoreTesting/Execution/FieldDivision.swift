import GraphQLLanguage
import RelayStore

/// The collected fields of one object, divided into current fields and fields of later parts.
struct FieldDivision {
  /// The fields to execute now.
  private(set) var current: [FieldGroup] = []
  /// The fields of later parts.
  private(set) var deferred: [DeferredGroup] = []

  /// - Parameter fragments: The deferred fragments whose fields are executed now; empty for the
  ///   first payload.
  init(_ collector: FieldCollector, on object: ResponseObject, in fragments: [DeferredFragment]) {
    switch collector.context.strategy {
    case .deduplicated: divide(collector.groups, on: object, in: fragments)
    case .separate:
      current = collector.groups
      for set in collector.deferred {
        guard let fragment = set.enclosing else { continue }
        add([fragment], .selections(set), on: object)
      }
    case nil: current = collector.groups
    }
  }

  /// Assigns each field to the first parts that select it.
  private mutating func divide(
    _ groups: [FieldGroup], on object: ResponseObject, in fragments: [DeferredFragment]
  ) {
    let now = Set(fragments)
    var later: [(fragments: [DeferredFragment], fields: [FieldGroup])] = []
    var positions: [Set<DeferredFragment>: Int] = [:]
    for group in groups {
      let fragments = Self.fragments(of: group)
      let set = Set(fragments)
      if set == now {
        current.append(group)
      } else if let position = positions[set] {
        later[position].fields.append(group)
      } else {
        positions[set] = later.count
        later.append((fragments, [group]))
      }
    }
    for part in later { add(part.fragments, .fields(part.fields), on: object) }
  }

  /// Returns the outermost deferred fragments that select a field; empty if it is also selected
  /// outside of them.
  private static func fragments(of group: FieldGroup) -> [DeferredFragment] {
    var fragments: [DeferredFragment] = []
    for field in group.fields {
      guard let fragment = field.enclosing else { return [] }
      if !fragments.contains(fragment) { fragments.append(fragment) }
    }
    return fragments.filter { !$0.isInside(any: fragments) }
  }

  private mutating func add(
    _ fragments: [DeferredFragment], _ content: DeferredGroup.Content, on object: ResponseObject
  ) {
    deferred.append(DeferredGroup(fragments: fragments, object: object, content: content))
  }
}
