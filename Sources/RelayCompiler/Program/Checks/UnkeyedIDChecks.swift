import GraphQLLanguage

/// Warns of types that documents select whose `id` is not of type `ID`, so that it identifies no
/// object unless the configuration says so.
///
/// A type is reported once, where a document first selects its `id`, or else its objects. A nullable
/// `id` that no document selects is not reported: an aggregate has such an `id`, and no identity.
struct UnkeyedIDChecks {
  private let schema: Schema
  private let keys: KeyFields
  private let id: Symbol
  /// The first selection of each type, and whether it is the one of its `id`.
  private var found: [TypeID: (span: Span, isID: Bool)] = [:]
  private var order: [TypeID] = []

  static func diagnostics(
    for documents: [Document], schema: Schema, keys: KeyFields
  ) -> [Diagnostic] {
    var checks = UnkeyedIDChecks(schema: schema, keys: keys)
    for definition in documents.lazy.flatMap(\.definitions) {
      switch definition {
      case .operation(let operation):
        guard let root = schema.rootType(of: operation.operation) else { continue }
        checks.check(operation.selectionSet, on: root, at: nil)
      case .fragment(let fragment):
        let condition = fragment.typeCondition
        guard let type = schema.type(named: condition.symbol) else { continue }
        checks.check(fragment.selectionSet, on: type, at: condition.span)
      default: continue
      }
    }
    return checks.order.compactMap { checks.diagnostic(for: schema[$0]) }
  }

  private init(schema: Schema, keys: KeyFields) {
    self.schema = schema
    self.keys = keys
    id = schema.symbols.intern("id")
  }

  /// - Parameter span: The selection of the objects; `nil` for the root.
  private mutating func check(_ set: SelectionSet, on type: NamedType, at span: Span?) {
    if let span, isUnkeyed(type), type.field(named: id)?.type.isNonNull == true {
      add(type, at: span, isID: false)
    }
    for selection in set.selections {
      switch selection {
      case .field(let field):
        if field.name.symbol == id, isUnkeyed(type) { add(type, at: field.name.span, isID: true) }
        guard let inner = field.selectionSet,
          let definition = schema.field(named: field.name.symbol, on: type)
        else { continue }
        check(inner, on: schema[definition.type.named], at: field.name.span)
      case .inlineFragment(let fragment):
        let condition = fragment.typeCondition
        let inner = condition.flatMap { schema.type(named: $0.symbol) } ?? type
        check(fragment.selectionSet, on: inner, at: condition?.span)
      case .fragmentSpread: continue
      }
    }
  }

  private mutating func add(_ type: NamedType, at span: Span, isID: Bool) {
    if let old = found[type.id] {
      if old.isID || !isID { return }
    } else {
      order.append(type.id)
    }
    found[type.id] = (span, isID)
  }

  /// Whether a type has an `id` that could identify its objects and does not.
  private func isUnkeyed(_ type: NamedType) -> Bool {
    guard let field = type.field(named: id), schema.isPlainLeaf(field) else { return false }
    let scalar = schema[field.type.named]
    return scalar.kind == .scalar && scalar.symbol != .float && scalar.symbol != .boolean
      && !keys.isID(scalar) && keys.fields(of: type) == nil && !keys.isUnidentified(type)
  }

  private func diagnostic(for type: NamedType) -> Diagnostic? {
    guard let field = type.field(named: id), let place = found[type.id] else { return nil }
    let (name, scalar) = (schema.name(of: type.id), schema.name(of: field.type.named))
    return Diagnostic(
      severity: .warning, rule: "unkeyed-id",
      message:
        "The \"id\" of type \"\(name)\" does not identify its objects, because it is of type \"\(scalar)\": "
        + "the store keeps a copy of the object for each place of a response.",
      at: place.span,
      help:
        "Add \"idScalars\": [\"\(scalar)\"] to the configuration if such ids are unique over all types, "
        + "\"keyFields\": {\"\(name)\": \"id\"} if they are unique in this one, and "
        + "\"keyFields\": {\"\(name)\": null} if they identify nothing.")
  }
}
