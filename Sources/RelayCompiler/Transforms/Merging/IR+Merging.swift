import GraphQLLanguage

// Equality that ignores source locations. `==` on arguments, handles and directives also compares
// spans, so passes that merge selections use `isSame(as:)` instead.

extension IR.Argument {
  /// Returns whether both have the same name and value.
  func isSame(as other: Self) -> Bool { name == other.name && value.isSame(as: other.value) }
}

extension [IR.Argument] {
  /// Returns whether both have the same values for the same names, in any order.
  func isSame(as other: Self) -> Bool {
    count == other.count && allSatisfy { argument in other.contains(where: argument.isSame) }
  }
}

extension IR.Handle {
  /// Returns whether both have the same name and arguments.
  func isSame(as other: Self) -> Bool {
    name == other.name && arguments.isSame(as: other.arguments)
  }
}

extension Directive {
  /// Returns whether both are the same directive with the same arguments.
  func isSame(as other: Self) -> Bool {
    name.symbol == other.name.symbol && arguments.isSame(as: other.arguments)
  }
}

extension IR.FieldDetails {
  /// Returns whether both have the same details, with directives and handles in any order.
  func isSame(as other: Self) -> Bool {
    func isEach<Element>(
      of left: [Element], in right: [Element], _ isSame: (Element) -> (Element) -> Bool
    ) -> Bool {
      left.count == right.count && left.allSatisfy { right.contains(where: isSame($0)) }
    }
    var (left, right) = (self, other)
    (left.directives, right.directives) = ([], [])
    (left.handles, right.handles) = ([], [])
    return left == right
      && isEach(of: directives, in: other.directives, Directive.isSame)
      && isEach(of: handles, in: other.handles, IR.Handle.isSame)
  }
}

extension IR.Field {
  /// Returns whether both select the same under the same response key.
  func isSame(as other: IR.Field) -> Bool {
    if self === other { return true }
    return responseKey == other.responseKey && name == other.name && type == other.type
      && arguments.isSame(as: other.arguments) && hasSameDetails(as: other)
      && selections.isSame(as: other.selections)
  }

  /// Returns whether both fields have the same details.
  func hasSameDetails(as other: IR.Field) -> Bool {
    (!hasDetails && !other.hasDetails) || details.isSame(as: other.details)
  }
}

extension IR.Selection {
  /// Returns whether both select the same under the same conditions.
  func isSame(as other: Self) -> Bool {
    condition == other.condition && isImplicit == other.isImplicit
      && content.isSame(as: other.content)
  }
}

extension IR.Selection.Content {
  /// Returns whether both select the same.
  func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.field(let left), .field(let right)): left.isSame(as: right)
    case (.spread(let left), .spread(let right)):
      SelectionKey(left) == SelectionKey(right) && left.isMasked == right.isMasked
        && left.deferral == right.deferral
    case (.inlineFragment(let left), .inlineFragment(let right)):
      left.type == right.type && left.alias == right.alias
        && left.selections.isSame(as: right.selections)
    case (.field, _), (.spread, _), (.inlineFragment, _): false
    }
  }
}

extension [IR.Selection] {
  /// Returns whether both select the same in the same order.
  func isSame(as other: Self) -> Bool {
    isIdentical(to: other)
      || (count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) })
  }
}

// MARK: Merging

extension IR.Field {
  /// The reason why two fields with the same response key cannot be merged.
  enum Conflict {
    /// The arguments differ, at these source locations.
    case arguments([Span])
    /// Both have a non-repeatable directive with differing arguments, at these source locations.
    case directives([Span])
    /// The fields belong to connections with these two keys.
    case connections(String, String)
  }

  /// Returns the reason why the field cannot be merged with `other`; `nil` when it can.
  func conflict(with other: IR.Field, in schema: Schema) -> Conflict? {
    if self === other { return nil }
    if name != other.name { return .arguments([]) }
    return argumentConflict(with: other) ?? detailConflict(with: other, in: schema)
  }

  private func argumentConflict(with other: IR.Field) -> Conflict? {
    if arguments.isEmpty, other.arguments.isEmpty { return nil }
    func missing(_ left: IR.Field, in right: IR.Field) -> IR.Argument? {
      left.arguments.first { argument in !right.arguments.contains(where: argument.isSame) }
    }
    let differing = [missing(self, in: other), missing(other, in: self)].compactMap(\.self)
    return differing.isEmpty ? nil : .arguments(differing.map(\.value.span))
  }

  private func detailConflict(with other: IR.Field, in schema: Schema) -> Conflict? {
    guard hasDetails, other.hasDetails else { return nil }
    if let key = connection?.key, let otherKey = other.connection?.key, key != otherKey {
      return .connections(key, otherKey)
    }
    for directive in directives where !schema.isRepeatable(directive) {
      let same = other.directives.first { $0.name.symbol == directive.name.symbol }
      if let same, !same.isSame(as: directive) { return .directives([directive.span, same.span]) }
    }
    return nil
  }

  /// Returns the field with the details of `other` merged in. Selections are not merged.
  func merging(_ other: IR.Field) -> IR.Field {
    if self === other || (!hasDetails && !other.hasDetails) { return self }
    var details = details
    details.connection = connection ?? other.connection
    details.handles += other.handles.filter { !handles.contains(where: $0.isSame) }
    details.directives += other.directives.filter { !directives.contains(where: $0.isSame) }
    details.isKey = isKey || other.isKey
    // `ErrorChecks` ensures that these agree within a definition, but an unmasked fragment can add
    // different ones.
    details.required = [required, other.required].compactMap(\.self).max()
    details.catches = catches ?? other.catches
    return with(details: details)
  }
}

extension IR.Deferral {
  /// Returns the `@defer` for a merged spread of the same fragment; `nil` if one spread may be
  /// included immediately while the other is deferred.
  func merging(_ other: IR.Deferral?) -> IR.Deferral? {
    switch (condition, other?.condition) {
    case _ where other == nil: nil
    case (nil, nil): self
    case (let left?, let right?) where left.isSame(as: right): self
    default: nil
    }
  }
}

extension Schema {
  /// Returns whether a directive can be used more than once at a location.
  fileprivate func isRepeatable(_ directive: Directive) -> Bool {
    directives[named: directive.name.symbol]?.isRepeatable ?? false
  }
}
