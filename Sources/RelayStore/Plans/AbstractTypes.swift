/// The possible types of interfaces and unions in the schema that a module was compiled against.
///
/// The table has the abstract types that the module's documents name, and the object types that
/// their fields can return. A result therefore does not depend on the conditions that a module
/// happens to contain.
///
/// A newer server may have more types. Its result, stored in the type's record, takes precedence.
/// For a type that is neither in the store nor in the compiled schema, the result is unknown, not
/// `false`.
public final class AbstractTypes: Sendable {
  private let types: [String: Set<String>]
  /// Every object type that the table names.
  private let objectTypes: Set<String>

  /// Decodes `Abstract=Concrete|Concrete;Abstract=…;*=Concrete|…`. The entry `*` lists the object
  /// types that satisfy none of the abstract types before it.
  public convenience init(_ text: StaticString) { self.init(text: text.description) }

  init(text: String) {
    var types: [String: Set<String>] = [:]
    for entry in text.split(separator: ";") {
      let halves = entry.split(separator: "=", maxSplits: 1)
      guard let name = halves.first else { continue }
      let concrete = halves.count > 1 ? halves[1].split(separator: "|").map(String.init) : []
      types[String(name)] = Set(concrete)
    }
    objectTypes = types.values.reduce(into: []) { $0.formUnion($1) }
    types["*"] = nil
    self.types = types
  }

  /// Returns whether the concrete type satisfies the abstract one; `nil` if the table does not have
  /// both types.
  func satisfies(_ concrete: String, _ abstract: String) -> Bool? {
    guard let possible = types[abstract] else { return nil }
    if possible.contains(concrete) { return true }
    return objectTypes.contains(concrete) ? false : nil
  }
}
