import GraphQLLanguage
import RelayCompiler

/// The `idScalars` and `keyFields` for a schema with types whose `id` is not of type `ID`.
///
/// A custom scalar used only for non-null ids, such as `UUID`, is assumed to be unique across all
/// types. Ids of built-in scalars, and of a scalar that is also used for a nullable `id`, are
/// unique only within their type. A nullable `id` does not identify an object: aggregates have one.
struct IDSettings {
  private(set) var idScalars: [String] = []
  private(set) var keyFields: [String: [String]] = [:]

  /// - Parameter others: The key fields that are already configured, by type.
  init(_ schema: Schema, others: [String: [String]] = [:]) {
    let id = schema.symbols.intern("id")
    var types: [TypeID: [NamedType]] = [:]
    var mixed: Set<TypeID> = []
    for type in schema.types where type.kind == .object || type.kind == .interface {
      guard let field = type.field(named: id), schema.isPlainLeaf(field) else { continue }
      let scalar = schema[field.type.named]
      guard scalar.kind == .scalar, ![.id, .float, .boolean].contains(scalar.symbol) else {
        continue
      }
      if scalar.isBuiltIn || !field.type.isNonNull { mixed.insert(scalar.id) }
      if field.type.isNonNull { types[scalar.id, default: []].append(type) }
    }
    for (scalar, types) in types {
      guard mixed.contains(scalar) else {
        idScalars.append(schema.name(of: scalar))
        continue
      }
      let all = Set(types.map(\.id))
      for type in types where others[schema.name(of: type.id)] == nil {
        // An interface's entry applies to the types that implement it.
        let isCovered = type.interfaces.contains {
          all.contains($0) || others[schema.name(of: $0)] != nil
        }
        if !isCovered { keyFields[schema.name(of: type.id)] = ["id"] }
      }
    }
    idScalars.sort()
  }

  /// The members of the configuration's object.
  var members: [(key: String, value: InputValue)] {
    var members: [(key: String, value: InputValue)] = []
    if !idScalars.isEmpty {
      members.append(("idScalars", .list(idScalars.map { .string($0) })))
    }
    if !keyFields.isEmpty {
      let sorted = keyFields.keys.sorted().map { InputValue.Member($0, .string("id")) }
      members.append(("keyFields", .object(sorted)))
    }
    return members
  }
}
