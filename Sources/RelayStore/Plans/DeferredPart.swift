/// A fragment of an object that may arrive later than the object: what `@defer` names.
package struct DeferredPart: Hashable, Sendable {
  /// The label as it is sent: `Owner$defer$label`, where `Owner` is the operation or fragment that
  /// spreads the fragment.
  package var label: String
  /// The name of the fragment that is spread.
  package var fragment: String

  package init(label: String, fragment: String) {
    self.label = label
    self.fragment = fragment
  }
}
