import GraphQLLanguage

/// The schema elements whose values are never persisted: those with `@noPersist`, and those listed
/// in the configuration's `noPersist`.
struct PrivateDefinitions: Sendable {
  /// An argument of a field.
  private struct Argument: Hashable {
    let field: Symbol
    let name: Symbol
  }

  /// The object types, scalars and enums.
  private var types: Set<TypeID> = []
  /// The fields of each object type or interface.
  private var fields: [TypeID: Set<Symbol>] = [:]
  private var arguments: [TypeID: Set<Argument>] = [:]
  /// The input types that are private or contain a private field, at any depth.
  private var inputs: Set<TypeID> = []

  package init() {}

  var isEmpty: Bool {
    types.isEmpty && fields.isEmpty && arguments.isEmpty && inputs.isEmpty
  }

  /// Returns the names in a schema coordinate.
  static func names(in coordinate: String) -> [String] {
    coordinate.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }

  /// Finds the private elements of a schema.
  ///
  /// - Parameters:
  ///   - coordinates: The schema coordinates in the configuration: `Type`, `Type.field`,
  ///     `Input.field` and `Type.field(argument:)`. Unknown ones are reported.
  ///   - configuration: The file to locate errors in; `nil` if there is none.
  init(
    _ coordinates: [String], schema: Schema, in configuration: ConfigurationSource? = nil,
    diagnostics: inout [Diagnostic]
  ) {
    for type in schema.types where !type.isBuiltIn {
      if type.directives[named: .noPersist] != nil { insert(type, schema) }
      for field in type.fields {
        if field.directives[named: .noPersist] != nil { insert(field.symbol, of: type.id) }
        for argument in field.arguments where argument.directives[named: .noPersist] != nil {
          arguments[type.id, default: []].insert(
            Argument(field: field.symbol, name: argument.symbol))
        }
      }
      if type.inputFields.contains(where: { $0.directives[named: .noPersist] != nil }) {
        inputs.insert(type.id)
      }
    }
    var report = ConfigurationReport(of: "noPersist", in: configuration, rule: "no-persist")
    for coordinate in coordinates where !insert(coordinate, schema) {
      Self.addUnknown(coordinate, schema, to: &report)
    }
    diagnostics += report.diagnostics
    if !inputs.isEmpty { insertUsers(of: schema) }
  }

  private mutating func insert(_ field: Symbol, of type: TypeID) {
    fields[type, default: []].insert(field)
  }

  private mutating func insert(_ type: NamedType, _ schema: Schema) {
    if type.isInput { inputs.insert(type.id) }
    if type.isLeaf { types.insert(type.id) }
    if type.isComposite { types.formUnion(schema.possibleTypes(of: type)) }
  }

  /// Inserts the element at a schema coordinate.
  ///
  /// - Returns: Whether the schema has the element.
  private mutating func insert(_ coordinate: String, _ schema: Schema) -> Bool {
    let names = Self.names(in: coordinate)
    guard let first = names.first, let type = schema.type(named: first) else { return false }
    if coordinate == first {
      insert(type, schema)
      return true
    }
    guard let name = names.dropFirst().first else { return false }
    let symbol = schema.symbols.intern(name)
    if coordinate == first + "." + name {
      if type.inputFields[named: symbol] != nil {
        inputs.insert(type.id)
      } else if type.field(named: symbol) != nil {
        insert(symbol, of: type.id)
      } else {
        return false
      }
      return true
    }
    guard let last = names.dropFirst(2).first, coordinate == "\(first).\(name)(\(last):)" else {
      return false
    }
    let argument = Argument(field: symbol, name: schema.symbols.intern(last))
    guard type.field(named: symbol)?.arguments[named: argument.name] != nil else { return false }
    arguments[type.id, default: []].insert(argument)
    return true
  }

  /// Inserts the input types that have a field of a private input type.
  private mutating func insertUsers(of schema: Schema) {
    var count = -1
    while count != inputs.count {
      count = inputs.count
      for type in schema.types where type.kind == .inputObject && !inputs.contains(type.id) {
        if type.inputFields.contains(where: { inputs.contains($0.type.named) }) {
          inputs.insert(type.id)
        }
      }
    }
  }

  private static func addUnknown(
    _ coordinate: String, _ schema: Schema, to report: inout ConfigurationReport
  ) {
    let names = names(in: coordinate)
    let type = names.first.flatMap { schema.type(named: $0) }
    func candidates() -> [String] {
      type.map { type in
        (type.fields.map(\.symbol) + type.inputFields.map(\.symbol)).map { schema.symbols[$0] }
      } ?? schema.types.map { schema.symbols[$0.symbol] }
    }
    report.add(
      "\"\(coordinate)\" in \"noPersist\" is not in the schema. Use coordinates such as "
        + "Type, Type.field, Input.field or Type.field(argument:).",
      at: coordinate, suggesting: names.dropFirst(type == nil ? 0 : 1).first ?? "",
      among: candidates())
  }

  // MARK: Their use

  /// Returns whether an object type's records are private.
  func contains(_ type: TypeID) -> Bool { types.contains(type) }

  /// Returns whether a variable's values are private because of its type.
  func hasPrivateValues(_ input: TypeID) -> Bool { inputs.contains(input) }

  /// The reason why a selected field is private.
  enum Reason {
    /// The field itself, or its type.
    case value
    /// One of its arguments.
    case arguments
  }

  /// Returns the reason why a field of an object type is private; `nil` if it may be persisted.
  func reason(of field: IR.Field, on type: NamedType, in schema: Schema) -> Reason? {
    for owner in [type.id] + type.interfaces {
      if fields[owner]?.contains(field.name) == true { return .value }
      guard let arguments = arguments[owner] else { continue }
      if field.arguments.contains(where: {
        arguments.contains(Argument(field: field.name, name: $0.name))
      }) {
        return .arguments
      }
    }
    if !inputs.isEmpty, let definition = type.field(named: field.name) {
      let isPrivate = field.arguments.contains { argument in
        definition.arguments[named: argument.name].map { inputs.contains($0.type.named) } ?? false
      }
      if isPrivate { return .arguments }
    }
    return schema[field.type.named].isLeaf && types.contains(field.type.named) ? .value : nil
  }
}
