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
package struct DropFetched {
  private let schema: Schema

  package static func apply(to program: IR.Program) -> IR.Program {
    let pass = DropFetched(schema: program.schema)
    return program.map { pass.object($1) }
  }

  /// Reduces the linked fields and type conditions of an object.
  private func object(_ selections: [IR.Selection]) -> [IR.Selection] {
    conditions(in: linked(selections), around: [])
  }

  private func linked(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.changed { selection in
      guard case .field(let field) = selection.content else { return nil }
      return selection.with(field.with(selections: object(field.selections)))
    }
  }

  /// Reduces the type conditions among `selections` by the selections beside and around them.
  private func conditions(
    in selections: [IR.Selection], around: [IR.Selection]
  ) -> [IR.Selection] {
    guard selections.contains(where: \.isCondition) else { return selections }
    let known = around + selections.filter { !$0.isCondition }
    return selections.compactMap { selection in
      guard case .condition(var condition) = selection.content else { return selection }
      condition.selections = conditions(in: linked(condition.selections), around: known).compactMap
      {
        $0.isCondition ? $0 : reduced($0, by: known, inside: .always, outer: .always)
      }
      // An empty condition on an abstract type stays: it gets a discriminator.
      if condition.selections.isEmpty, !schema[condition.type].isAbstract { return nil }
      var selection = selection
      selection.content = .condition(condition)
      return selection
    }
  }

  /// Returns the part of a selection that `others`, of the same object, do not select; `nil` when
  /// they select all of it.
  ///
  /// - Parameters:
  ///   - inside: The guard under which the object is present for `selection`.
  ///   - outer: The guard under which it is present for `others`.
  private func reduced(
    _ selection: IR.Selection, by others: [IR.Selection], inside: Guard, outer: Guard
  ) -> IR.Selection? {
    if case .condition(let condition) = selection.content {
      return reduced(condition, by: others, inside: inside, outer: outer)
    }
    let isThere = inside.and(selection.isThere)
    let match = others.first { other in
      isSameKey(other, selection) && isThere.implies(outer.and(other.isThere))
    }
    guard let match else { return selection }
    guard case .field(let field) = selection.content, case .field(let other) = match.content,
      !field.selections.isEmpty
    else { return nil }
    let around = outer.and(match.isThere)
    let left = field.selections.compactMap {
      reduced($0, by: other.selections, inside: isThere, outer: around)
    }
    return left.isEmpty ? nil : selection.with(.field(field.with(selections: left)))
  }

  /// Whether `known` selects the same field or fragment without deferring it. The selections inside
  /// are not compared.
  private func isSameKey(_ known: IR.Selection, _ selection: IR.Selection) -> Bool {
    switch (known.content, selection.content) {
    case (.field(let left), .field(let right)):
      left.responseKey == right.responseKey && left.conflict(with: right, in: schema) == nil
        && right.directives.allSatisfy { left.directives.contains(where: $0.isSame) }
    case (.spread(let left), .spread(let right)):
      SelectionKey(left) == SelectionKey(right) && left.deferral == nil
    default: false
    }
  }

  private func reduced(
    _ condition: IR.TypeCondition, by others: [IR.Selection], inside: Guard, outer: Guard
  ) -> IR.Selection? {
    let same = others.lazy.compactMap { other -> IR.TypeCondition? in
      guard case .condition(let other) = other.content, other.type == condition.type else {
        return nil
      }
      return other
    }.first
    let known = others.filter { !$0.isCondition } + (same?.selections ?? [])
    var condition = condition
    condition.selections = condition.selections.compactMap {
      reduced($0, by: known, inside: inside, outer: outer)
    }
    let isAsked = same != nil && inside.implies(outer)
    if condition.selections.isEmpty, isAsked || !schema[condition.type].isAbstract { return nil }
    return IR.Selection(content: .condition(condition))
  }
}

extension IR.Selection {
  fileprivate var isCondition: Bool { if case .condition = content { true } else { false } }
}
