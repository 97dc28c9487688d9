import GraphQLLanguage
import RelayStore

/// A class whose instances are equal only if they are identical.
protocol IdentityHashable: AnyObject, Hashable {}

extension IdentityHashable {
  static func == (left: Self, right: Self) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// One `@defer` on the selections of one object: a fragment of the response, delivered later.
final class DeferredFragment: Sendable, IdentityHashable {
  let label: String?
  /// The path of the object.
  let path: ResponsePath
  /// The enclosing deferred fragment, which is delivered first.
  let parent: DeferredFragment?

  init(label: String?, path: ResponsePath, parent: DeferredFragment?) {
    self.label = label
    self.path = path
    self.parent = parent
  }

  /// Returns whether any of the fragments encloses this one.
  func isInside(any fragments: [DeferredFragment]) -> Bool {
    var outer = parent
    while let fragment = outer {
      if fragments.contains(fragment) { return true }
      outer = fragment.parent
    }
    return false
  }
}

/// An object whose fields are executed.
struct ResponseObject: Sendable {
  let type: NamedType
  let value: JSONValue
  let path: ResponsePath
}

/// Fields of one object that are executed together, and delivered with the first of their deferred
/// fragments.
final class DeferredGroup: Sendable, IdentityHashable {
  enum Content: Sendable {
    case selections(SelectedSet)
    case fields([FieldGroup])
  }

  let fragments: [DeferredFragment]
  let object: ResponseObject
  let content: Content

  init(fragments: [DeferredFragment], object: ResponseObject, content: Content) {
    self.fragments = fragments
    self.object = object
    self.content = content
  }
}

/// The items of a list that are delivered one by one, after the initial ones.
final class StreamedList: Sendable, IdentityHashable {
  let label: String?
  /// The path of the list.
  let path: ResponsePath
  /// The resolved items of the entire list.
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

/// Work that an execution defers to later parts.
enum DeferredWork: Sendable {
  case group(DeferredGroup)
  case list(StreamedList)
}

/// The result of executing the fields of a part, or one item of a list.
struct PartResult: Sendable {
  /// The data; `nil` if a null propagated beyond it.
  let data: JSONValue?
  let errors: [ExecutionError]
  /// The deferred work found in the data.
  let deferred: [DeferredWork]
}
