import GraphQLLanguage
import RelayStore

/// A class whose instances are equal only if they are identical.
protocol IdentityHashable: AnyObject, Hashable {}

extension IdentityHashable {
  static func == (left: Self, right: Self) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// One `@defer` on the selections of one object, which decides the part that a field belongs to.
final class DeferUsage: Sendable, IdentityHashable {
  let label: String?
  /// The `@defer` around this one.
  let parent: DeferUsage?

  init(label: String?, parent: DeferUsage?) {
    self.label = label
    self.parent = parent
  }

  /// Whether another `@defer` of the set is around this one.
  func isInside(any usages: [DeferUsage]) -> Bool {
    var outer = parent
    while let usage = outer {
      if usages.contains(usage) { return true }
      outer = usage.parent
    }
    return false
  }
}

/// A deferred fragment of one object in the response.
final class DeferredFragment: Sendable, IdentityHashable {
  let label: String?
  /// The path of the object.
  let path: ResponsePath
  /// The deferred fragment that this one is selected in, which is delivered before.
  let parent: DeferredFragment?

  init(label: String?, path: ResponsePath, parent: DeferredFragment?) {
    self.label = label
    self.path = path
    self.parent = parent
  }
}

/// The deferred fragments in whose execution fields are executed.
struct DeferScope: Sendable {
  /// The `@defer`s whose fields are executed now; empty for those of the first payload.
  var current: [DeferUsage] = []
  /// The fragments by `@defer`, those of enclosing objects included.
  var fragments: [DeferUsage: DeferredFragment] = [:]
}

/// An object whose fields are executed.
struct ResponseObject: Sendable {
  let type: NamedType
  let value: JSONValue
  let path: ResponsePath
}

/// The fields of one object that are executed together, and are delivered with the first of their
/// deferred fragments.
final class DeferredGroup: Sendable, IdentityHashable {
  enum Content: Sendable {
    case selections(SelectedSet)
    case fields([FieldGroup])
  }

  let fragments: [DeferredFragment]
  let object: ResponseObject
  let content: Content
  let scope: DeferScope

  init(
    fragments: [DeferredFragment], object: ResponseObject, content: Content, scope: DeferScope
  ) {
    self.fragments = fragments
    self.object = object
    self.content = content
    self.scope = scope
  }
}

/// The items of a list that are delivered one by one, after the first ones.
final class StreamedList: Sendable, IdentityHashable {
  let label: String?
  /// The path of the list.
  let path: ResponsePath
  /// The resolved items of the whole list.
  let items: [JSONValue]
  /// The index of the first item to deliver.
  let start: Int
  let itemType: ResolvedType
  let field: FieldExecution

  init(
    label: String?, path: ResponsePath, items: [JSONValue], start: Int, itemType: ResolvedType,
    field: FieldExecution
  ) {
    self.label = label
    self.path = path
    self.items = items
    self.start = start
    self.itemType = itemType
    self.field = field
  }
}

/// Work that an execution leaves for later parts.
enum DeferredWork: Sendable {
  case group(DeferredGroup)
  case list(StreamedList)
}

/// The result of executing the fields of a part, or one item of a list.
struct PartResult: Sendable {
  /// The data; `nil` when a null propagated beyond it.
  let data: JSONValue?
  let errors: [ExecutionError]
  /// The work for later parts found in the data.
  let deferred: [DeferredWork]
}
