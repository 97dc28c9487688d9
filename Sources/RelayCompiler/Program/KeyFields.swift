import GraphQLLanguage

/// The key fields of each type, which identify its objects in place of `id`. They come from
/// `keyFields` of the configuration.
package struct KeyFields: Sendable {
  /// The key fields by object type or interface.
  private var fields: [TypeID: [Symbol]] = [:]

  package init() {}

  var isEmpty: Bool { fields.isEmpty }

  /// Resolves the names in the configuration. Reports unknown types, and fields that are missing,
  /// not scalar or require arguments.
  ///
  /// - Parameter names: The names of the key fields, by the name of their object type or interface.
  init(_ names: [String: [String]], schema: Schema, diagnostics: inout [Diagnostic]) {
    for (name, keys) in names.sorted(by: { $0.key < $1.key }) {
      guard let type = schema.type(named: name), type.kind == .object || type.kind == .interface
      else {
        let candidates = schema.types.filter { $0.kind == .object || $0.kind == .interface }
        diagnostics.append(
          Self.error(
            "\"keyFields\" names \"\(name)\", which is not an object type or interface.", name,
            among: candidates.map { schema.symbols[$0.symbol] }))
        continue
      }
      if keys.isEmpty {
        diagnostics.append(
          Self.error("\"keyFields\" gives \"\(name)\" no field. Name one.", "", among: []))
      }
      for key in keys {
        let field = type.field(named: schema.symbols.intern(key))
        if let field, schema[field.type.named].isLeaf, !field.type.isList,
          !field.arguments.contains(where: \.isRequired)
        {
          continue
        }
        diagnostics.append(
          Self.error(
            "\"keyFields\" gives \"\(name)\" the field \"\(key)\", which it does not have as a scalar "
              + "without arguments.", key, among: type.fields.map { schema.symbols[$0.symbol] }))
      }
      fields[type.id] = keys.map { schema.symbols.intern($0) }
    }
  }

  /// The key fields of a type: its own, or those of the first interface that has some. `nil` if
  /// neither has any.
  func fields(of type: NamedType) -> [Symbol]? {
    if fields.isEmpty { return nil }
    if let own = fields[type.id] { return own }
    return type.interfaces.lazy.compactMap { fields[$0] }.first
  }

  private static func error(
    _ message: String, _ name: String, among names: [String]
  ) -> Diagnostic {
    Diagnostic(
      rule: "key-fields", message: message, locations: [],
      help: didYouMean(suggestions(for: name, among: names)))
  }
}
