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
