import GraphQLLanguage

// Transformations of selections that preserve the identity of unchanged values. Most passes change
// little of a program, so sharing unchanged arrays and fields saves time and memory.

extension [IR.Selection] {
  /// Returns whether both arrays share their storage. Equal arrays in different storage are not
  /// identical.
  func isIdentical(to other: [IR.Selection]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { left in
        other.withUnsafeBufferPointer { left.baseAddress == $0.baseAddress || left.isEmpty }
      }
  }

  /// Returns the selections with some replaced, or the same array if none are.
  ///
  /// - Parameter replacement: Returns the replacement for a selection, or `nil` to leave it
  ///   unchanged.
  // Not inlined: passes call it recursively, so each level would be inlined into the one above.
  @inline(never)
  func replacing(_ replacement: (IR.Selection) -> IR.Selection?) -> [IR.Selection] {
    var result = self
    for index in indices {
      if let other = replacement(self[index]) { result[index] = other }
    }
    return result
  }
}

extension [IR.Selection] {
  /// Returns the selections on `type`, with some replaced at any depth. Inner selections are
  /// replaced first.
  ///
  /// - Parameter replacement: Returns the replacement for a selection on a type, or `nil` to leave
  ///   it unchanged.
  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  func replacingEach(
    of type: TypeID, _ replacement: (IR.Selection, TypeID) -> IR.Selection?
  ) -> [IR.Selection] {
    replacing { selection in
      var inner: IR.Selection?
      switch selection.content {
      case .field(let field):
        if field.selections.isEmpty { break }
        let selections = field.selections.replacingEach(of: field.type.named, replacement)
        inner = selection.with(field.with(selections: selections))
      case .inlineFragment(let fragment):
        let selections = fragment.selections.replacingEach(of: fragment.type, replacement)
        inner = selection.with(fragment, selections)
      case .spread: break
      }
      return replacement(inner ?? selection, type) ?? inner
    }
  }

  /// Returns whether one of the selections, at any depth, satisfies a condition.
  // Iterative: recursion would copy the condition's captures at each level.
  func hasSelection(where condition: (IR.Selection) -> Bool) -> Bool {
    var waiting = [self]
    while let selections = waiting.popLast() {
      for selection in selections {
        if condition(selection) { return true }
        let inner = selection.selections
        if !inner.isEmpty { waiting.append(inner) }
      }
    }
    return false
  }
}

extension IR.Program {
  /// Returns the program with selections replaced. Inner selections are replaced first.
  func replacingSelections(_ replacement: (IR.Selection, TypeID) -> IR.Selection?) -> Self {
    map { $1.replacingEach(of: $0, replacement) }
  }

  /// Returns whether a selection in a definition, at any depth, satisfies a condition.
  func hasSelection(where condition: (IR.Selection) -> Bool) -> Bool {
    operations.contains { $0.selections.hasSelection(where: condition) }
      || fragments.contains { $0.selections.hasSelection(where: condition) }
  }

  /// The types that fragments are defined on, by fragment name.
  var fragmentTypes: [Symbol: TypeID] {
    Dictionary(fragments.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
  }
}

extension IR.Selection {
  /// The selections of a field or inline fragment; empty for leaf fields and spreads.
  var selections: [IR.Selection] {
    switch content {
    case .field(let field): field.selections
    case .inlineFragment(let fragment): fragment.selections
    case .spread: []
    }
  }

  /// Returns the selection with different content.
  func with(_ content: Content) -> IR.Selection {
    IR.Selection(content: content, condition: condition, isImplicit: isImplicit)
  }

  /// Returns the selection with a different field, or `nil` if `field` is the current one.
  func with(_ field: IR.Field) -> IR.Selection? {
    if case .field(let own) = content, own === field { return nil }
    return with(.field(field))
  }

  /// Returns the selection with `fragment` and the given selections, or `nil` if the selections are
  /// identical.
  func with(_ fragment: IR.InlineFragment, _ selections: [IR.Selection]) -> IR.Selection? {
    if selections.isIdentical(to: fragment.selections) { return nil }
    var fragment = fragment
    fragment.selections = selections
    return with(.inlineFragment(fragment))
  }
}
