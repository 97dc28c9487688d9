/// Which object types satisfy an interface or a union, as the schema said when the program was
/// compiled.
///
/// It has the abstract types that a module's documents name, and the object types that their fields can return, so that it
/// does not matter which conditions a module happens to have.
///
/// A server may know more types by now: what it says of them comes first (design: a type record
/// in the store), and a type that neither knows is unknown, not a mismatch.
public final class AbstractTypes: Sendable {
  private let types: [String: Set<String>]
  /// Every object type that the table names.
  private let known: Set<String>

  /// Decodes `Abstract=Concrete|Concrete;Abstract=…;*=Concrete|…`: after the star the object types that satisfy none of
  /// those before.
  public init(_ text: StaticString) {
    var types: [String: Set<String>] = [:]
    for entry in text.description.split(separator: ";") {
      let halves = entry.split(separator: "=", maxSplits: 1)
      guard let name = halves.first else { continue }
      let concrete = halves.count > 1 ? halves[1].split(separator: "|").map(String.init) : []
      types[String(name)] = Set(concrete)
    }
    known = types.values.reduce(into: []) { $0.formUnion($1) }
    types["*"] = nil
    self.types = types
  }

  /// Whether the concrete type satisfies the abstract one; `nil` where the schema knew neither
  /// way, which is when it did not know the concrete type.
  package func satisfies(_ concrete: String, _ abstract: String) -> Bool? {
    guard let possible = types[abstract] else { return nil }
    if possible.contains(concrete) { return true }
    return known.contains(concrete) ? false : nil
  }
}
