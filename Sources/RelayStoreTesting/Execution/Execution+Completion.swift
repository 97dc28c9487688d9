import GraphQLLanguage
import RelayStore

extension Execution {
  /// Completes a resolved value according to its type.
  func complete(
    _ value: JSONValue, as type: ResolvedType, of field: FieldExecution, at path: ResponsePath,
    in fragments: [DeferredFragment]
  ) async throws -> JSONValue {
    if value.isNull {
      guard type.isNonNull else { return .null }
      throw GraphQLError(
        message: "Cannot return null for non-nullable field \(name(of: field)).")
    }
    if let item = type.item {
      return try await completeList(value, as: item, of: field, at: path, in: fragments)
    }
    let named = schema[type.named]
    guard named.isComposite else { return try coerceLeaf(value, as: named, of: field) }
    let object = try objectType(of: value, as: named, in: field)
    let sets = field.fields.compactMap { collected in
      collected.field.selectionSet.map { SelectedSet(set: $0, enclosing: collected.enclosing) }
    }
    return try await execute(
      sets, on: ResponseObject(type: object, value: value, path: path), in: fragments)
  }

  private func completeList(
    _ value: JSONValue, as item: ResolvedType, of field: FieldExecution, at path: ResponsePath,
    in fragments: [DeferredFragment]
  ) async throws -> JSONValue {
    guard let values = value.array else {
      throw GraphQLError(message: "Expected a list for field \(name(of: field)).")
    }
    let streamed = try streamedList(values, of: item, in: field, at: path)
    var result: [JSONValue] = []
    let count = streamed?.start ?? values.count
    result.reserveCapacity(count)
    for (index, value) in values.prefix(count).enumerated() {
      result.append(
        try await self.item(
          value, as: item, of: field, at: path.appending(.index(index)), in: fragments))
    }
    if let streamed { later(.list(streamed)) }
    return .array(result)
  }

  /// Completes an item of a list, or records its error.
  func item(
    _ value: JSONValue, as type: ResolvedType, of field: FieldExecution, at path: ResponsePath,
    in fragments: [DeferredFragment]
  ) async throws -> JSONValue {
    try await handlingErrors(in: type, of: field, at: path) {
      try Task.checkCancellation()
      return try await self.complete(value, as: type, of: field, at: path, in: fragments)
    }
  }

  /// Returns the items that a list defers to later parts; `nil` without `@stream` or without such
  /// items. `@stream` applies to the outermost of nested lists.
  private func streamedList(
    _ values: [JSONValue], of item: ResolvedType, in field: FieldExecution, at path: ResponsePath
  ) throws -> StreamedList? {
    guard context.strategy != nil, case .field? = path.components.last,
      let symbol = schema.symbols.find("stream"),
      let directive = field.fields[0].field.directives[named: symbol],
      let arguments = try context.arguments(of: directive), arguments["if"]?.bool != false
    else { return nil }
    let start = (arguments["initialCount"] ?? arguments["initial_count"])?.int ?? 0
    guard start >= 0 else {
      throw GraphQLError(message: "\"initialCount\" must not be negative.")
    }
    guard start < values.count else { return nil }
    // The fields of an item belong to no deferred fragment, because items are parts themselves.
    let fields = field.fields.map { CollectedField(field: $0.field, enclosing: nil) }
    return StreamedList(
      label: arguments["label"]?.string, path: path, items: values, start: start, itemType: item,
      field: FieldExecution(type: field.type, fields: fields, definition: field.definition))
  }

  /// Returns the object type of a value: the type named by its `__typename`, or `type` if that is
  /// an object type.
  private func objectType(
    of value: JSONValue, as type: NamedType, in field: FieldExecution
  ) throws -> NamedType {
    let fieldName = name(of: field)
    guard value.object != nil else {
      throw GraphQLError(message: "Expected an object for field \(fieldName).")
    }
    guard let typename = value["__typename"]?.string else {
      if type.kind == .object { return type }
      throw GraphQLError(
        message:
          "The object for field \(fieldName) does not name its type; give it a \"__typename\".")
    }
    guard let object = schema.objectType(named: typename, of: type.id) else {
      let expected = schema.symbols[type.symbol]
      throw GraphQLError(
        message:
          "The object for field \(fieldName) says it is a \"\(typename)\", expected \"\(expected)\"."
      )
    }
    return object
  }

  private func coerceLeaf(
    _ value: JSONValue, as type: NamedType, of field: FieldExecution
  ) throws -> JSONValue {
    if let coerced = schema.coerce(value, to: type) { return coerced }
    let expected = schema.symbols[type.symbol]
    throw GraphQLError(
      message: "The value for field \(name(of: field)) is not of type \"\(expected)\".")
  }

  private func name(of field: FieldExecution) -> String {
    "\(schema.symbols[field.type.symbol]).\(schema.symbols[field.definition.symbol])"
  }
}
