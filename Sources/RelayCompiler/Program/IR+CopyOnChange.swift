import GraphQLLanguage

// Changes to selections that keep the identity of unchanged parts. Most passes leave most of a
// program unchanged, so sharing the unchanged arrays and fields saves time and memory.

extension [IR.Selection] {
  /// Whether both arrays share their storage. Equal arrays in different storage are not identical.
  func isIdentical(to other: [IR.Selection]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { left in
        other.withUnsafeBufferPointer { left.baseAddress == $0.baseAddress || left.isEmpty }
      }
  }

  /// Returns the selections with some replaced, or the same array if `replacement` replaces none.
  ///
  /// - Parameter replacement: Returns the replacement of a selection, or `nil` to keep it.
  // Not inlined, because passes call it recursively: every level would be inlined into the next.
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
  /// Returns the selections, which are from objects of `type`, with some replaced at any depth. Inner
  /// selections are replaced first.
  ///
  /// - Parameter replacement: Returns the replacement of a selection from objects of a type, or `nil`
  ///   to keep it.
  // Not inlined: otherwise every level would contain copies of the next.
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

  /// Whether one of the selections, or of those inside them, satisfies a condition.
  // Not recursive: otherwise every level would copy what the condition captures.
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
  /// Returns the program with selections replaced, each after the selections inside it.
  func replacingSelections(_ replacement: (IR.Selection, TypeID) -> IR.Selection?) -> Self {
    map { $1.replacingEach(of: $0, replacement) }
  }

  /// Whether a selection of a definition, at any depth, satisfies a condition.
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
  /// The selections of the field or inline fragment; empty for leaf fields and spreads.
  var selections: [IR.Selection] {
    switch content {
    case .field(let field): field.selections
    case .inlineFragment(let fragment): fragment.selections
    case .spread: []
    }
  }

  /// Returns the selection with other content.
  func with(_ content: Content) -> IR.Selection {
    IR.Selection(content: content, condition: condition, isImplicit: isImplicit)
  }

  /// Returns the selection with another field, or `nil` if `field` is the current one.
  func with(_ field: IR.Field) -> IR.Selection? {
    if case .field(let own) = content, own === field { return nil }
    return with(.field(field))
  }

  /// Returns the selection with `fragment`, given other selections, or `nil` if they are
  /// identical.
  func with(_ fragment: IR.InlineFragment, _ selections: [IR.Selection]) -> IR.Selection? {
    if selections.isIdentical(to: fragment.selections) { return nil }
    var fragment = fragment
    fragment.selections = selections
    return with(.inlineFragment(fragment))
  }
}
