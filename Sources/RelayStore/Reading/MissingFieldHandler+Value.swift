extension MissingField {
  /// Returns another scalar field of the same record; `nil` if it is a link or missing.
  public func value(of field: String, arguments: JSONObject = [:]) -> JSONValue? {
    let key = source.keys.key(of: StorageKey.text(name: field, arguments: arguments))
    return key.flatMap { parent[$0]?.json }
  }
}

extension LayeredSource {
  /// Whether a field may have a value although its record has none.
  private func isHandled(_ field: PlanField, at index: RecordIndex) -> Bool {
    if field.isTypename { return false }
    return !missingFieldHandlers.isEmpty || index.position == 0 && field.name == "node"
  }

  /// Returns the value that the handlers supply for a field missing from all layers; `nil` if none
  /// does.
  func handledValue(
    of field: PlanField, slot: Int, plan: BoundPlan, at index: RecordIndex
  ) -> FieldValue? {
    guard isHandled(field, at: index) else { return nil }
    var arguments: JSONObject = [:]
    for argument in field.arguments {
      arguments[argument.name] = argument.value.json(plan.variables)
    }
    let missing = MissingField(
      name: field.name, arguments: arguments, storageKey: plan.storageKeys[slot], of: index,
      in: self)
    if field.isID, missing.parentID.isClientID { return nil }
    for handler in missingFieldHandlers {
      let value = StoreCallback.run("a missing field handler, asked for \"\(field.name)\"") {
        handler.value(of: missing, type: field.type)
      }
      if let value { return value }
    }
    return MissingFieldHandler.node.value(of: missing, type: field.type)
  }
}

extension MissingFieldHandler {
  fileprivate func value(of field: MissingField, type: PlanType) -> FieldValue? {
    switch self {
    case .scalar(let handle) where type.namedType != .object:
      return handle(field).stored { FieldValue($0) }
    case .linked(let handle) where type.namedType == .object && type.listDepth == 0:
      return handle(field).stored { field.index(of: $0).map(FieldValue.link) }
    case .pluralLinked(let handle) where type.namedType == .object && type.listDepth == 1:
      return handle(field).stored { ids in
        let links = ids.compactMap { field.index(of: $0) }
        return links.count == ids.count ? .links(links) : nil
      }
    default: return nil
    }
  }
}

extension GraphQLNullable {
  /// Returns the value to store for a handler's result; `nil` for `.none`.
  fileprivate func stored(_ value: (Wrapped) -> FieldValue?) -> FieldValue? {
    switch self {
    case .none: nil
    case .null: .null
    case .some(let wrapped): value(wrapped)
    }
  }
}
