/// A fragment spread with `@defer`. It may arrive later than the object it belongs to.
package struct DeferredPart: Hashable, Sendable {
  /// The label sent to the server: `Owner$defer$label`, where `Owner` is the operation or fragment
  /// that spreads the fragment.
  package var label: String
  /// The name of the spread fragment.
  package var fragment: String

  package init(label: String, fragment: String) {
    self.label = label
    self.fragment = fragment
  }
}
