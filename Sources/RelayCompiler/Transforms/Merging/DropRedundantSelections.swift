import GraphQLLanguage

/// Removes from type conditions the selections that the enclosing object has anyway, also below
/// linked fields.
///
/// For example, the second selection set is what remains of the first:
///
///     friend{name} ...on Dog{friend{name barks}}
///     friend{name} ...on Dog{friend{barks}}
///
/// Only for the program that is sent, after ``Flatten``, which does the same for fields without
/// selections.
struct DropRedundantSelections {
  private let schema: Schema

  package static func apply(to program: IR.Program) -> IR.Program {
    let pass = DropRedundantSelections(schema: program.schema)
    return program.map { pass.object($1) }
  }

  /// Reduces the linked fields and type conditions of an object.
  // Recursive and not inlined: otherwise every level would contain copies of the next.
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

  /// Reduces the type conditions among `selections` by the other selections, and by those of the
  /// enclosing scopes.
  ///
  /// - Parameter around: The selections of the enclosing scopes.
  // Recursive and not inlined: otherwise every level would contain copies of the next.
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
      // An empty condition on an abstract type stays: it gets a discriminator.
      if fragment.selections.isEmpty, !schema[fragment.type].isAbstract { return nil }
      var selection = selection
      selection.content = .inlineFragment(fragment)
      return selection
    }
  }

  /// Returns the part of a selection that `others`, of the same object, do not select; `nil` when
  /// they select all of it.
  ///
  /// - Parameters:
  ///   - condition: The guard under which the object is present for `selection`.
  ///   - otherCondition: The guard under which it is present for `others`.
  // Recursive and not inlined: otherwise every level would contain copies of the next.
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

  /// Whether `other` selects the same field or fragment without deferring it. The selections inside
  /// are not compared.
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
