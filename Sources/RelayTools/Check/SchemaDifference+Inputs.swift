import GraphQLLanguage

extension SchemaDifference {
  /// The names of an argument or input field, and the kinds of its changes.
  private struct InputValue {
    /// The element in messages, such as "Argument".
    let noun: String
    let coordinate: String
    let removed: SchemaChange.Kind
    let changedKind: SchemaChange.Kind
    let changedKindSafely: SchemaChange.Kind
    let changedDefault: SchemaChange.Kind

    /// An argument of a field.
    static func argument(_ coordinate: String) -> InputValue {
      InputValue(
        noun: "Argument", coordinate: coordinate, removed: .argumentRemoved,
        changedKind: .argumentChangedKind, changedKindSafely: .argumentChangedKindSafely,
        changedDefault: .argumentDefaultChanged)
    }

    /// A field of an input object.
    static func inputField(_ coordinate: String) -> InputValue {
      InputValue(
        noun: "Input field", coordinate: coordinate, removed: .fieldRemoved,
        changedKind: .fieldChangedKind, changedKindSafely: .fieldChangedKindSafely,
        changedDefault: .inputFieldDefaultChanged)
    }

    /// An argument of a directive.
    static func directiveArgument(_ coordinate: String) -> InputValue {
      InputValue(
        noun: "Argument", coordinate: coordinate, removed: .directiveArgumentRemoved,
        changedKind: .argumentChangedKind, changedKindSafely: .argumentChangedKindSafely,
        changedDefault: .argumentDefaultChanged)
    }
  }

  func argumentChanges(
    of name: Symbol, of field: Symbol, on type: Symbol, isGiven: Bool
  ) -> [SchemaChange] {
    guard let (oldType, newType) = types(named: type),
      let before = old.field(named: field, on: oldType),
      let after = new.field(named: field, on: newType)
    else { return [] }
    let value = InputValue.argument("\(text(type)).\(text(field))(\(text(name)):)")
    return changes(
      of: value, from: before.arguments[named: name], to: after.arguments[named: name],
      isGiven: isGiven)
  }

  func inputFieldChanges(of name: Symbol, of type: Symbol, isGiven: Bool) -> [SchemaChange] {
    guard let (before, after) = types(named: type) else { return [] }
    return changes(
      of: .inputField("\(text(type)).\(text(name))"), from: before.inputFields[named: name],
      to: after.inputFields[named: name], isGiven: isGiven)
  }

  /// Returns the changes of an argument or input field. An omitted one matters if its default value
  /// changed, or if it became required.
  private func changes(
    of value: InputValue, from before: SchemaInputValue?, to after: SchemaInputValue?,
    isGiven: Bool
  ) -> [SchemaChange] {
    guard let before else { return [] }
    let (noun, coordinate) = (value.noun, value.coordinate)
    guard let after else {
      return isGiven
        ? [SchemaChange(value.removed, coordinate, "\(noun) \"\(coordinate)\" was removed.")] : []
    }
    let types = (old.text(of: before.type), new.text(of: after.type))
    let change = "\(noun) \"\(coordinate)\" changed type from \"\(types.0)\" to \"\(types.1)\"."
    let isSafe = isSafeInputChange(from: before.type, to: after.type)
    if !isGiven {
      return !isSafe && after.isRequired
        ? [SchemaChange(value.changedKind, coordinate, change)]
        : defaultChanges(of: value, from: before, to: after)
    }
    var changes = deprecation(after.deprecationReason, of: noun, coordinate)
    if types.0 != types.1 {
      let kind = isSafe ? value.changedKindSafely : value.changedKind
      changes.append(SchemaChange(kind, coordinate, change))
    }
    return changes
  }

  private func defaultChanges(
    of value: InputValue, from before: SchemaInputValue, to after: SchemaInputValue
  ) -> [SchemaChange] {
    func text(_ value: SchemaInputValue) -> String? {
      value.defaultValue.map { old.symbols.text(of: $0.sorted(in: old.symbols)) }
    }
    let (was, becomes) = (text(before), text(after))
    if was == becomes { return [] }
    let change =
      switch (was, becomes) {
      case (let was?, let becomes?): " changed from \(was) to \(becomes)"
      case (let was?, nil): ", \(was), was removed"
      default: ", \(becomes ?? ""), was added"
      }
    return [
      SchemaChange(
        value.changedDefault, value.coordinate,
        "The default value of \(value.noun.lowercased()) \"\(value.coordinate)\"\(change).",
        criticality: after.isRequired ? .breaking : .dangerous)
    ]
  }

  func inputObjectChanges(of name: Symbol) -> [SchemaChange] {
    guard let (before, after) = types(named: name) else { return [] }
    var changes: [SchemaChange] = []
    for field in after.inputFields where before.inputFields[named: field.symbol] == nil {
      let coordinate = "\(text(name)).\(text(field.symbol))"
      let kind = field.isRequired ? "A required" : "An optional"
      changes.append(
        SchemaChange(
          field.isRequired ? .requiredInputFieldAdded : .optionalInputFieldAdded, coordinate,
          "\(kind) input field \"\(coordinate)\" was added."))
    }
    if after.isOneOf, !before.isOneOf {
      changes.append(
        SchemaChange(
          .typeChangedKind, text(name),
          "Input object \"\(text(name))\" now takes exactly one field (@oneOf)."))
    }
    return changes
  }

  // MARK: Directives

  func directiveChanges(of name: Symbol, at location: DirectiveLocation) -> [SchemaChange] {
    guard let before = old.directives[named: name] else { return [] }
    let coordinate = "@" + text(name)
    guard let after = new.directives[named: name] else {
      return [
        SchemaChange(.directiveRemoved, coordinate, "Directive \"\(coordinate)\" was removed.")
      ]
    }
    var changes: [SchemaChange] = []
    if before.locations.contains(location), !after.locations.contains(location) {
      changes.append(
        SchemaChange(
          .directiveLocationRemoved, coordinate,
          "Directive \"\(coordinate)\" is no longer allowed on \(text(location.symbol))."))
    }
    for argument in after.arguments
    where argument.isRequired && before.arguments[named: argument.symbol] == nil {
      let coordinate = "\(coordinate)(\(text(argument.symbol)):)"
      changes.append(
        SchemaChange(
          .requiredDirectiveArgumentAdded, coordinate,
          "A required argument \"\(coordinate)\" was added."))
    }
    return changes
  }

  func directiveArgumentChanges(
    of name: Symbol, of directive: Symbol, isGiven: Bool
  ) -> [SchemaChange] {
    guard let before = old.directives[named: directive],
      let after = new.directives[named: directive]
    else { return [] }
    return changes(
      of: .directiveArgument("@\(text(directive))(\(text(name)):)"),
      from: before.arguments[named: name], to: after.arguments[named: name], isGiven: isGiven)
  }
}

extension Value {
  /// The value with the fields of objects sorted by name, because their order has no meaning.
  fileprivate func sorted(in symbols: SymbolTable) -> Value {
    switch kind {
    case .list(let items): Value(.list(items.map { $0.sorted(in: symbols) }))
    case .object(let fields):
      Value(
        .object(
          fields.map { ObjectField(name: $0.name, value: $0.value.sorted(in: symbols)) }
            .sorted { symbols[$0.name.symbol] < symbols[$1.name.symbol] }))
    default: self
    }
  }
}
