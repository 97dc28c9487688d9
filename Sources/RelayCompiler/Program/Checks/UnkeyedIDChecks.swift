import GraphQLLanguage

/// A check for selected types whose `id` is not of type `ID`, so that it identifies objects only if
/// the configuration says so.
///
/// A type is reported once: where a document first selects its `id`, or else where one first
/// selects its objects. A nullable `id` that no document selects is not reported, because
/// aggregates have such an `id` without having an identity.
struct UnkeyedIDChecks {
  private let schema: Schema
  private let keys: KeyFields
  /// The first selection of each type, and whether it selects the type's `id`.
  private var found: [TypeID: (span: Span, isID: Bool)] = [:]
  private var order: [TypeID] = []

  static func diagnostics(
    for definitions: [ExecutableDefinition], schema: Schema, keys: KeyFields
  ) -> [Diagnostic] {
    var checks = UnkeyedIDChecks(schema: schema, keys: keys)
    for definition in definitions {
      checks.addObjects(definition.type, at: definition.typeCondition?.span)
      schema.forEachSelection(of: definition) { checks.add($0, on: $1) }
    }
    return checks.order.compactMap { checks.diagnostic(for: schema[$0]) }
  }

  private mutating func add(_ selection: Selection, on type: NamedType) {
    var span: Span?
    switch selection {
    case .field(let field):
      span = field.name.span
      if field.name.symbol == .idField, isUnkeyed(type) {
        add(type, at: field.name.span, isID: true)
      }
    case .inlineFragment(let fragment): span = fragment.typeCondition?.span
    case .fragmentSpread: return
    }
    if let inner = schema.inner(of: selection, on: type) { addObjects(inner.type, at: span) }
  }

  /// - Parameter span: The selection of the objects; `nil` for the root.
  private mutating func addObjects(_ type: NamedType, at span: Span?) {
    if let span, isUnkeyed(type), type.field(named: .idField)?.type.isNonNull == true {
      add(type, at: span, isID: false)
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

  /// Returns whether a type has an `id` that could identify its objects but does not.
  private func isUnkeyed(_ type: NamedType) -> Bool {
    guard let field = type.field(named: .idField), schema.isPlainLeaf(field) else { return false }
    let scalar = schema[field.type.named]
    return scalar.kind == .scalar && scalar.symbol != .float && scalar.symbol != .boolean
      && !keys.isID(scalar) && keys.fields(of: type) == nil && !keys.isUnidentified(type)
  }

  private func diagnostic(for type: NamedType) -> Diagnostic? {
    guard let field = type.field(named: .idField), let place = found[type.id] else { return nil }
    let (name, scalar) = (schema.name(of: type.id), schema.name(of: field.type.named))
    return Diagnostic(
      severity: .warning, rule: "unkeyed-id",
      message:
        "The \"id\" of type \"\(name)\" does not identify its objects, because it is of type \"\(scalar)\": "
        + "the store keeps a copy of the object for each place in a response.",
      at: place.span,
      help:
        "Add \"idScalars\": [\"\(scalar)\"] to the configuration if such ids are unique over all types, "
        + "\"keyFields\": {\"\(name)\": \"id\"} if they are unique in this one, and "
        + "\"keyFields\": {\"\(name)\": null} if they do not identify objects.")
  }
}
