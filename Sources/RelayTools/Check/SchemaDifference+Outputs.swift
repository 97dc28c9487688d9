import GraphQLLanguage

extension SchemaDifference {
  func fieldChanges(of name: Symbol, on type: Symbol) -> [SchemaChange] {
    guard let (oldType, newType) = types(named: type),
      let before = old.field(named: name, on: oldType)
    else { return [] }
    let field = "\(text(type)).\(text(name))"
    guard let after = new.field(named: name, on: newType) else {
      return [SchemaChange(.fieldRemoved, field, "Field \"\(field)\" was removed.")]
    }
    var changes: [SchemaChange] = []
    let types = (old.text(of: before.type), new.text(of: after.type))
    if types.0 != types.1 {
      let isSafe = isSafeOutputChange(from: before.type, to: after.type)
      changes.append(
        SchemaChange(
          isSafe ? .fieldChangedKindSafely : .fieldChangedKind, field,
          "Field \"\(field)\" changed type from \"\(types.0)\" to \"\(types.1)\"."))
    }
    for argument in after.arguments where before.arguments[named: argument.symbol] == nil {
      let coordinate = "\(field)(\(text(argument.symbol)):)"
      let kind = argument.isRequired ? "A required" : "An optional"
      changes.append(
        SchemaChange(
          argument.isRequired ? .requiredArgumentAdded : .optionalArgumentAdded, coordinate,
          "\(kind) argument \"\(coordinate)\" was added."))
    }
    return changes + deprecation(after.deprecationReason, of: "Field", field)
  }

  /// Returns the use of a deprecated element.
  func deprecation(_ reason: String?, of kind: String, _ coordinate: String) -> [SchemaChange] {
    guard let reason else { return [] }
    return [
      SchemaChange(
        .deprecatedElementUsed, coordinate, "\(kind) \"\(coordinate)\" is deprecated: \(reason)")
    ]
  }

  /// Returns whether a reader of the old type can read every value of the new one: the same named
  /// type and lists, and non-null wherever it was.
  func isSafeOutputChange(from before: ResolvedType, to after: ResolvedType) -> Bool {
    old[before.named].symbol == new[after.named].symbol
      && isAtLeastAsStrict(after.shape, as: before.shape)
  }

  /// Returns whether every value of the old type is valid for the new one.
  func isSafeInputChange(from before: ResolvedType, to after: ResolvedType) -> Bool {
    old[before.named].symbol == new[after.named].symbol
      && isAtLeastAsStrict(before.shape, as: after.shape)
  }

  /// Returns whether the new type accepts all values that variables have for the old one. Input
  /// coercion turns a single value into a list, and an integer into a `Float` or `ID`.
  func acceptsSent(_ before: ResolvedType, as after: ResolvedType) -> Bool {
    var (before, after) = (before, after)
    while true {
      if after.isNonNull, !before.isNonNull { return false }
      switch (before.item, after.item) {
      case (let item?, let newItem?): (before, after) = (item, newItem)
      case (nil, let newItem?): (before, after) = (before.nonNull, newItem)
      case (_?, nil): return false
      case (nil, nil):
        let (name, newName) = (old[before.named].symbol, new[after.named].symbol)
        return name == newName || name == .int && (newName == .float || newName == .id)
          || name == .string && newName == .id
      }
    }
  }

  /// Returns whether two shapes have the same lists, and `strict` is non-null wherever `lax` is.
  private func isAtLeastAsStrict(_ strict: TypeShape, as lax: TypeShape) -> Bool {
    guard strict.listDepth == lax.listDepth else { return false }
    var pair = (strict, lax)
    while true {
      if pair.1.isNonNull, !pair.0.isNonNull { return false }
      guard let items = pair.0.item, let laxItems = pair.1.item else { return true }
      pair = (items, laxItems)
    }
  }

  // MARK: Enum values

  func valueChanges(of name: Symbol, of type: Symbol) -> [SchemaChange] {
    guard let (before, after) = types(named: type), before.enumValues[named: name] != nil else {
      return []
    }
    guard let value = after.enumValues[named: name] else {
      return [removal(of: name, from: type, .breaking)]
    }
    return deprecation(value.deprecationReason, of: "Enum value", coordinate(of: name, of: type))
  }

  func removedValues(of type: Symbol, _ criticality: Criticality) -> [SchemaChange] {
    guard let (before, after) = types(named: type) else { return [] }
    return before.enumValues.filter { after.enumValues[named: $0.symbol] == nil }
      .map { removal(of: $0.symbol, from: type, criticality) }
  }

  /// Returns the values that a response may have and the app does not know. Generated enums read
  /// them as `unrecognized`.
  func addedValues(of type: Symbol) -> [SchemaChange] {
    guard let (before, after) = types(named: type) else { return [] }
    return after.enumValues.filter { before.enumValues[named: $0.symbol] == nil }.map { value in
      let coordinate = coordinate(of: value.symbol, of: type)
      return SchemaChange(
        .valueAddedToEnum, coordinate, "Enum value \"\(coordinate)\" was added.")
    }
  }

  private func removal(
    of name: Symbol, from type: Symbol, _ criticality: Criticality
  ) -> SchemaChange {
    let coordinate = coordinate(of: name, of: type)
    return SchemaChange(
      .valueRemovedFromEnum, coordinate, "Enum value \"\(coordinate)\" was removed.",
      criticality: criticality)
  }

  private func coordinate(of name: Symbol, of type: Symbol) -> String {
    "\(text(type)).\(text(name))"
  }
}
