import GraphQLLanguage

// How passes change selections: what stays as it is remains the same object, which is quick and keeps
// memory small, since most passes leave most of a program alone.

extension [IR.Selection] {
  /// Whether both are the same array in memory; arrays that are merely equal need not be.
  func isIdentical(to other: [IR.Selection]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { left in
        other.withUnsafeBufferPointer { left.baseAddress == $0.baseAddress || left.isEmpty }
      }
  }

  /// The selections with others in the place of some.
  ///
  /// - Parameter change: What a selection becomes; `nil` where it stays as it is.
  func changed(_ change: (IR.Selection) -> IR.Selection?) -> [IR.Selection] {
    for index in indices {
      guard let first = change(self[index]) else { continue }
      var result = self
      result[index] = first
      for next in result.indices.dropFirst(index + 1) {
        if let other = change(self[next]) { result[next] = other }
      }
      return result
    }
    return self
  }
}

extension IR.Selection {
  /// What it selects; empty for leaves and spreads.
  var selections: [IR.Selection] {
    switch content {
    case .field(let field): field.selections
    case .condition(let condition): condition.selections
    case .spread: []
    }
  }

  /// The selection with other content.
  func with(_ content: Content) -> IR.Selection {
    IR.Selection(content: content, isThere: isThere, isFromSpread: isFromSpread)
  }

  /// The selection of another field; `nil` where it is the same one.
  func with(_ field: IR.Field) -> IR.Selection? {
    if case .field(let own) = content, own === field { return nil }
    return with(.field(field))
  }

  /// The selection with a condition that has other selections; `nil` where they are the very same.
  func with(_ condition: IR.TypeCondition, _ selections: [IR.Selection]) -> IR.Selection? {
    if selections.isIdentical(to: condition.selections) { return nil }
    var condition = condition
    condition.selections = selections
    return with(.condition(condition))
  }
}
