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

  /// How an operation uses an argument or input field.
  enum Presence {
    /// A value in its text.
    case written
    /// Perhaps a value in a variable.
    case sent
    /// Perhaps no value.
    case omitted
  }

  func argumentChanges(
    of name: Symbol, of field: Symbol, on type: Symbol, _ presence: Presence
  ) -> [SchemaChange] {
    guard let (oldType, newType) = types(named: type),
      let before = old.field(named: field, on: oldType),
      let after = new.field(named: field, on: newType)
    else { return [] }
    let value = InputValue.argument("\(text(type)).\(text(field))(\(text(name)):)")
    return changes(
      of: value, from: before.arguments[named: name], to: after.arguments[named: name], presence)
  }

  /// Returns the changes of an argument without a value. On an interface, the default values of the
  /// objects' own fields apply.
  func omittedArgumentChanges(
    of name: Symbol, of field: Symbol, on type: Symbol
  ) -> [SchemaChange] {
    let changes = argumentChanges(of: name, of: field, on: type, .omitted)
    guard old.type(named: type)?.kind == .interface else { return changes }
    return changes.filter { $0.criticality == .breaking }
      + implementations(of: type).flatMap { defaultChanges(of: name, of: field, on: $0) }
  }

  /// Returns the changed default values of the arguments that objects add to a field of their
  /// interface.
  func addedArgumentChanges(of field: Symbol, on type: Symbol) -> [SchemaChange] {
    guard let interface = old.type(named: type), interface.kind == .interface,
      let inherited = old.field(named: field, on: interface)?.arguments
    else { return [] }
    return implementations(of: type).flatMap { object -> [SchemaChange] in
      let arguments = old.type(named: object)?.field(named: field)?.arguments.map(\.symbol) ?? []
      return arguments.filter { inherited[named: $0] == nil }
        .flatMap { defaultChanges(of: $0, of: field, on: object) }
    }
  }

  private func defaultChanges(
    of name: Symbol, of field: Symbol, on object: Symbol
  ) -> [SchemaChange] {
    argumentChanges(of: name, of: field, on: object, .omitted)
      .filter { $0.kind == .argumentDefaultChanged }
  }

  /// Returns the objects that implement an interface in both schemas.
  private func implementations(of interface: Symbol) -> [Symbol] {
    guard let (before, after) = types(named: interface) else { return [] }
    let remaining = Set(new.possibleTypes(of: after).map { new[$0].symbol })
    return old.possibleTypes(of: before).map { old[$0].symbol }.filter(remaining.contains)
  }

  func inputFieldChanges(
    of name: Symbol, of type: Symbol, _ presence: Presence
  ) -> [SchemaChange] {
    guard let (before, after) = types(named: type) else { return [] }
    return changes(
      of: .inputField("\(text(type)).\(text(name))"), from: before.inputFields[named: name],
      to: after.inputFields[named: name], presence)
  }

  /// Returns the changes of an argument or input field. An omitted one matters if its default value
  /// changed, or if it became required.
  private func changes(
    of value: InputValue, from before: SchemaInputValue?, to after: SchemaInputValue?,
    _ presence: Presence
  ) -> [SchemaChange] {
    guard let before else { return [] }
    let (noun, coordinate) = (value.noun, value.coordinate)
    guard let after else {
      return presence == .omitted
        ? [] : [SchemaChange(value.removed, coordinate, "\(noun) \"\(coordinate)\" was removed.")]
    }
    let types = (old.text(of: before.type), new.text(of: after.type))
    let change = "\(noun) \"\(coordinate)\" changed type from \"\(types.0)\" to \"\(types.1)\"."
    let isSafe =
      presence == .sent
      ? acceptsSent(before.type, as: after.type)
      : isSafeInputChange(from: before.type, to: after.type)
    if presence == .omitted {
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
    func comparable(_ value: SchemaInputValue) -> String? {
      // Both as the new type: a change of the type is another change.
      value.defaultValue.map { new.comparableText(of: $0, as: after.type) }
    }
    if comparable(before) == comparable(after) { return [] }
    let was = before.defaultValue.map { old.symbols.text(of: $0) }
    let becomes = after.defaultValue.map { old.symbols.text(of: $0) }
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
    of name: Symbol, of directive: Symbol, _ presence: Presence
  ) -> [SchemaChange] {
    guard let before = old.directives[named: directive],
      let after = new.directives[named: directive]
    else { return [] }
    return changes(
      of: .directiveArgument("@\(text(directive))(\(text(name)):)"),
      from: before.arguments[named: name], to: after.arguments[named: name], presence)
  }
}
