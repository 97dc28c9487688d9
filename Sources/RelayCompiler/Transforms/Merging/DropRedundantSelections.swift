import GraphQLLanguage

/// A pass that removes selections from type conditions if the enclosing object has them anyway,
/// including below linked fields.
///
/// For example, the first selection set is reduced to the second:
///
///     friend{name} ...on Dog{friend{name barks}}
///     friend{name} ...on Dog{friend{barks}}
///
/// Applies only to the program that is sent, after ``Flatten``, which does the same for fields
/// without selections.
struct DropRedundantSelections {
  private let schema: Schema

  package static func apply(to program: IR.Program) -> IR.Program {
    let pass = DropRedundantSelections(schema: program.schema)
    return program.map { pass.object($1) }
  }

  /// Reduces the linked fields and type conditions of an object.
  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  private func object(_ selections: [IR.Selection]) -> [IR.Selection] {
    inlineFragments(in: linked(selections), around: [])
  }

  private func linked(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.replacing { selection in
      guard case .field(let field) = selection.content else { return nil }
      return selection.with(field.with(selections: object(field.selections)))
    }
  }

  /// Reduces the type conditions in `selections` by the other selections and by the selections of
  /// enclosing scopes.
  ///
  /// - Parameter around: The selections of the enclosing scopes.
  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  private func inlineFragments(
    in selections: [IR.Selection], around: [IR.Selection]
  ) -> [IR.Selection] {
    guard selections.contains(where: \.isInlineFragment) else { return selections }
    let enclosing = around + selections.filter { !$0.isInlineFragment }
    return selections.compactMap { selection in
      guard case .inlineFragment(var fragment) = selection.content else { return selection }
      fragment.selections = inlineFragments(in: linked(fragment.selections), around: enclosing)
        .compactMap {
          $0.isInlineFragment
            ? $0 : reduced($0, by: enclosing, condition: .always, otherCondition: .always)
        }
      // Retain an empty condition on an abstract type: it gets a discriminator.
      if fragment.selections.isEmpty, !schema[fragment.type].isAbstract { return nil }
      var selection = selection
      selection.content = .inlineFragment(fragment)
      return selection
    }
  }

  /// Returns what remains of a selection without the selections in `others` on the same object;
  /// `nil` when they cover it completely.
  ///
  /// - Parameters:
  ///   - condition: The guard for the object's presence in `selection`.
  ///   - otherCondition: The guard for the object's presence in `others`.
  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  private func reduced(
    _ selection: IR.Selection, by others: [IR.Selection], condition: Guard, otherCondition: Guard
  ) -> IR.Selection? {
    if case .inlineFragment(let fragment) = selection.content {
      return reduced(fragment, by: others, condition: condition, otherCondition: otherCondition)
    }
    let condition = condition.and(selection.condition)
    let match = others.first { other in
      isSameKey(other, selection) && condition.implies(otherCondition.and(other.condition))
    }
    guard let match else { return selection }
    guard case .field(let field) = selection.content, case .field(let other) = match.content,
      !field.selections.isEmpty
    else { return nil }
    let otherCondition = otherCondition.and(match.condition)
    let left = field.selections.compactMap {
      reduced($0, by: other.selections, condition: condition, otherCondition: otherCondition)
    }
    return left.isEmpty ? nil : selection.with(.field(field.with(selections: left)))
  }

  /// Returns whether `other` selects the same field or fragment without deferring it. Inner
  /// selections are not compared.
  private func isSameKey(_ other: IR.Selection, _ selection: IR.Selection) -> Bool {
    switch (other.content, selection.content) {
    case (.field(let left), .field(let right)):
      left.responseKey == right.responseKey && left.conflict(with: right, in: schema) == nil
        && right.directives.allSatisfy { left.directives.contains(where: $0.isSame) }
    case (.spread(let left), .spread(let right)):
      SelectionKey(left) == SelectionKey(right) && left.deferral == nil
    default: false
    }
  }

  @inline(never)
  private func reduced(
    _ fragment: IR.InlineFragment, by others: [IR.Selection], condition: Guard,
    otherCondition: Guard
  ) -> IR.Selection? {
    let same = others.lazy.compactMap { other -> IR.InlineFragment? in
      guard case .inlineFragment(let other) = other.content, other.type == fragment.type else {
        return nil
      }
      return other
    }.first
    let enclosing = others.filter { !$0.isInlineFragment } + (same?.selections ?? [])
    var fragment = fragment
    fragment.selections = fragment.selections.compactMap {
      reduced($0, by: enclosing, condition: condition, otherCondition: otherCondition)
    }
    let isSelected = same != nil && condition.implies(otherCondition)
    if fragment.selections.isEmpty, isSelected || !schema[fragment.type].isAbstract { return nil }
    return IR.Selection(content: .inlineFragment(fragment))
  }
}

extension IR.Selection {
  fileprivate var isInlineFragment: Bool {
    if case .inlineFragment = content { true } else { false }
  }
}
