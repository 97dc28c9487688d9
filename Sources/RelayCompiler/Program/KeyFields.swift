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
  /// - Parameters:
  ///   - names: The names of the key fields, by the name of their object type or interface.
  ///   - configuration: The file in which errors are located; `nil` if there is none.
  init(
    _ names: [String: [String]], schema: Schema, in configuration: ConfigurationText? = nil,
    diagnostics: inout [Diagnostic]
  ) {
    let suggestionBudget = SuggestionBudget()
    func report(
      _ message: String, at name: String, of type: String? = nil,
      among names: @autoclosure () -> [String] = []
    ) {
      let location = configuration?.location(of: name, in: "keyFields", after: type)
      diagnostics.append(
        Diagnostic(
          rule: "key-fields", message: message, locations: location.map { [$0] } ?? [],
          help: suggestionBudget.didYouMean(name, among: names())))
    }
    for (name, keys) in names.sorted(by: { $0.key < $1.key }) {
      guard let type = schema.type(named: name), type.kind == .object || type.kind == .interface
      else {
        report(
          "\"keyFields\" names \"\(name)\", which is not an object type or interface.", at: name,
          among: schema.types.filter { $0.kind == .object || $0.kind == .interface }
            .map { schema.symbols[$0.symbol] })
        continue
      }
      if keys.isEmpty {
        report("\"keyFields\" gives \"\(name)\" no field. Name one.", at: name)
      }
      for key in keys {
        let field = type.field(named: schema.symbols.intern(key))
        if let field, schema[field.type.named].isLeaf, !field.type.isList,
          !field.arguments.contains(where: \.isRequired)
        {
          continue
        }
        report(
          "\"keyFields\" gives \"\(name)\" the field \"\(key)\", which it does not have as a scalar "
            + "without arguments.", at: key, of: name,
          among: type.fields.map { schema.symbols[$0.symbol] })
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
}
