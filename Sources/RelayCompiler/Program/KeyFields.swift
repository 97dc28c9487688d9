import GraphQLLanguage

/// The fields that identify objects: an `id` of type `ID` or of a scalar in the configuration's
/// `idScalars`, or instead the key fields named in `keyFields`.
package struct KeyFields: Sendable {
  /// The key fields by object type or interface.
  private var fields: [TypeID: [Symbol]] = [:]
  /// The scalars, in addition to `ID`, that make a field named `id` identify its object.
  private var idScalars: Set<TypeID> = []
  /// The types whose `id` identifies no object, because their `keyFields` is null.
  private var unidentified: Set<TypeID> = []

  package init() {}

  /// The names of all key fields.
  var names: Set<Symbol> { Set(fields.values.joined()) }

  /// Whether no type has key fields.
  var isEmpty: Bool { fields.isEmpty }

  /// Resolves the names in the configuration. Reports unknown types and scalars, and fields that
  /// are missing, not scalar, or require arguments.
  ///
  /// - Parameters:
  ///   - names: The names of the key fields, by the name of their object type or interface.
  ///   - idScalars: The names of scalars that make a field named `id` identify its object.
  ///   - unidentifiedTypes: The names of types whose `id` identifies no object.
  ///   - configuration: The file to locate errors in; `nil` if there is none.
  init(
    _ names: [String: [String]], idScalars: [String] = [], unidentifiedTypes: Set<String> = [],
    schema: Schema, in configuration: ConfigurationSource? = nil, diagnostics: inout [Diagnostic]
  ) {
    var report = ConfigurationReport(of: "keyFields", in: configuration, rule: "key-fields")
    for (name, keys) in names.sorted(by: { $0.key < $1.key }) {
      guard let type = Self.type(named: name, in: schema, &report) else { continue }
      if keys.isEmpty {
        report.add("\"keyFields\" has no field for \"\(name)\". Name one.", at: name)
      }
      for key in keys {
        let field = type.field(named: schema.symbols.intern(key))
        if let field, schema.isPlainLeaf(field) { continue }
        report.add(
          "\"keyFields\" gives \"\(name)\" the field \"\(key)\", but it has no such scalar field "
            + "without arguments.", at: key, after: name,
          among: type.fields.map { schema.symbols[$0.symbol] })
      }
      fields[type.id] = keys.map { schema.symbols.intern($0) }
    }
    let scalarDiagnostics = addScalars(idScalars, schema: schema, in: configuration)
    addUnidentified(unidentifiedTypes.sorted(), schema: schema, &report)
    diagnostics += report.diagnostics + scalarDiagnostics
  }

  private static func type(
    named name: String, in schema: Schema, _ report: inout ConfigurationReport
  ) -> NamedType? {
    if let type = schema.type(named: name), type.kind == .object || type.kind == .interface {
      return type
    }
    report.add(
      "\"\(name)\" in \"keyFields\" is not an object type or interface.", at: name,
      among: schema.typeNames { $0.kind == .object || $0.kind == .interface })
    return nil
  }

  private mutating func addScalars(
    _ names: [String], schema: Schema, in configuration: ConfigurationSource?
  ) -> [Diagnostic] {
    var report = ConfigurationReport(of: "idScalars", in: configuration, rule: "id-scalars")
    for name in names {
      if let type = schema.type(named: name), type.kind == .scalar {
        idScalars.insert(type.id)
        continue
      }
      report.add(
        "\"\(name)\" in \"idScalars\" is not a scalar of the schema.", at: name,
        among: schema.typeNames { $0.kind == .scalar })
    }
    return report.diagnostics
  }

  private mutating func addUnidentified(
    _ names: [String], schema: Schema, _ report: inout ConfigurationReport
  ) {
    for name in names {
      guard let type = Self.type(named: name, in: schema, &report) else { continue }
      if let field = type.field(named: .idField), isID(schema[field.type.named]) {
        let scalar = schema.name(of: field.type.named)
        report.add(
          "\"keyFields\" has null for \"\(name)\", but its \"id\" is of type \"\(scalar)\" and "
            + "identifies objects. Remove it, or name its key fields.", at: name)
      }
      unidentified.insert(type.id)
    }
  }

  /// Returns the key fields of a type: its own, or those of its first interface with key fields;
  /// `nil` if none are configured.
  func fields(of type: NamedType) -> [Symbol]? {
    if fields.isEmpty { return nil }
    if let own = fields[type.id] { return own }
    return type.interfaces.lazy.compactMap { fields[$0] }.first
  }

  /// Returns whether a field named `id` identifies its object if it has this type.
  func isID(_ type: NamedType) -> Bool { type.symbol == .id || idScalars.contains(type.id) }

  /// Returns whether a type's `id` is a key for its objects: a single leaf value of an id type.
  func hasID(_ type: NamedType, in schema: Schema) -> Bool {
    guard let field = type.field(named: .idField) else { return false }
    return schema.isPlainLeaf(field) && isID(schema[field.type.named])
  }

  /// Returns whether a field may identify objects of a type. The keys of an object can depend on
  /// its concrete type.
  package func isKey(_ name: Symbol, of type: NamedType, in schema: Schema) -> Bool {
    let possible = type.isAbstract ? schema.possibleTypes(of: type).map { schema[$0] } : []
    return ([type] + possible).contains { type in
      fields(of: type).map { $0.contains(name) } ?? (name == .idField && hasID(type, in: schema))
    }
  }

  /// Returns whether the configuration says that a type's `id` identifies no object.
  func isUnidentified(_ type: NamedType) -> Bool {
    unidentified.contains(type.id) || type.interfaces.contains(where: unidentified.contains)
  }

  /// Returns whether values of a type identify an object without being of type `ID`. Plans must
  /// mark these.
  func isIDScalar(_ type: ResolvedType) -> Bool {
    !idScalars.isEmpty && !type.isList && idScalars.contains(type.named)
  }
}

extension Schema {
  /// Returns whether a field has a single scalar or enum value and requires no arguments.
  package func isPlainLeaf(_ field: SchemaField) -> Bool {
    self[field.type.named].isLeaf && !field.type.isList
      && !field.arguments.contains(where: \.isRequired)
  }
}
