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

  /// Returns the value that the handlers supply for a field missing from all layers.
  func handled(
    _ field: PlanField, slot: Int, plan: BoundPlan, at index: RecordIndex
  ) -> HandledField {
    guard isHandled(field, at: index) else { return HandledField() }
    var arguments: JSONObject = [:]
    for argument in field.arguments {
      arguments[argument.name] = argument.value.json(plan.variables)
    }
    let missing = MissingField(
      name: field.name, arguments: arguments, storageKey: plan.storageKeys[slot], of: index,
      in: self)
    if field.isID, missing.parentID.isClientID { return HandledField() }
    var unknown: [DataID] = []
    for handler in missingFieldHandlers {
      let handled = StoreCallback.run("a missing field handler, asked for \"\(field.name)\"") {
        handler.value(of: missing, type: field.type)
      }
      if handled.value != nil { return handled }
      unknown += handled.unknown
    }
    var handled = MissingFieldHandler.node.value(of: missing, type: field.type)
    handled.unknown = unknown + handled.unknown
    return handled
  }
}

/// The result of asking the handlers for a field.
struct HandledField {
  /// The value; `nil` if no handler supplies one.
  var value: FieldValue?
  /// The ids of records to which a handler would link if the store had them.
  var unknown: [DataID] = []
}

extension MissingFieldHandler {
  fileprivate func value(of field: MissingField, type: PlanType) -> HandledField {
    switch self {
    case .scalar(let handle) where type.namedType != .object:
      return HandledField(value: handle(field).stored { FieldValue($0) })
    case .linked(let handle) where type.namedType == .object && type.listDepth == 0:
      let id = handle(field)
      let value = id.stored { field.knownIndex(of: $0).map(FieldValue.link) }
      return HandledField(
        value: value, unknown: value == nil ? id.unwrapped.map { [$0] } ?? [] : [])
    case .pluralLinked(let handle) where type.namedType == .object && type.listDepth == 1:
      let ids = handle(field)
      let value = ids.stored { ids in
        let links = ids.compactMap { field.knownIndex(of: $0) }
        return links.count == ids.count ? .links(links) : nil
      }
      return HandledField(value: value, unknown: value == nil ? ids.unwrapped ?? [] : [])
    default: return HandledField()
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
