import GraphQLLanguage

/// Emission of plans and the tables they need.
extension DefinitionEmitter {
  /// Returns a fragment's reader plan, prefixed with its name.
  package func readerPlan(of fragment: IR.Fragment) -> UTF8Buffer {
    let elements =
      fragment.isUpdatable
      ? privateElements.of([fragment.selections], on: fragment.type).prefix : ""
    return owned(plans.plan(fragment), by: fragment.name, after: elements)
  }

  /// Returns an operation's reader plan, prefixed with its name.
  package func readerPlan(of operation: IR.Operation) -> UTF8Buffer {
    let elements =
      operation.isUpdatable
      ? privateElements.of([operation.selections], on: operation.root).prefix : ""
    return owned(plans.plan(operation), by: operation.name.symbol, after: elements)
  }

  /// Returns an operation's normalization plan.
  ///
  /// - Parameters:
  ///   - stored: The operation with the selections that the normalizer writes to the store.
  ///   - prefix: The operation's private elements.
  package func normalizationPlan(of stored: IR.Operation, after prefix: String) -> UTF8Buffer {
    var text = UTF8Buffer()
    if stored.definition.operation == .query,
      let maxAge = programs.normalization.maxAges.maxAge(of: stored, in: types.schema)
    {
      text += "@" + JavaScriptNumber.float("\(maxAge)") + " "
    }
    text += prefix
    text += plans.plan(stored.selections, on: stored.root)
    return text
  }

  /// Returns the private elements of an operation. Client-only fields occur in `operation` but not
  /// in `stored`.
  package func privateElements(of operation: IR.Operation, stored: IR.Operation) -> PrivateElements
  {
    privateElements.of(
      [stored.selections, operation.selections], on: stored.root,
      variables: operation.definition.variables)
  }

  /// Returns a reader plan after `prefix` and the name of its definition.
  private func owned(
    _ plan: borrowing UTF8Buffer, by name: Symbol, after prefix: String
  ) -> UTF8Buffer {
    var text = UTF8Buffer()
    text += prefix
    text += types.text(name)
    if let first = plan.first, !"(<~".utf8.contains(first) { text += " " }
    text += plan
    return text
  }

  // MARK: Tables

  /// Returns the arguments of a reader plan after its notation.
  ///
  /// - Parameter isAbstract: Whether the plan belongs to a fragment on an abstract type.
  func readerTables(of selections: [IR.Selection], isAbstract: Bool = false) -> [String] {
    tables(of: selections, isAbstract: isAbstract, typed: types.typedLeaves)
  }

  /// Returns the arguments of an updatable query's plan. Its rows are never printed.
  func updatableTables(of selections: [IR.Selection]) -> [String] {
    tables(of: selections, typed: types.typedScalars)
  }

  /// Returns the arguments of an operation's normalization plan.
  ///
  /// - Parameter stored: The operation with the selections that the normalizer writes to the store.
  func normalizationTables(of operation: IR.Operation, stored: IR.Operation) -> [String] {
    let typed = hasRawResponse(operation) ? types.typedLeaves : types.typedScalars
    return tables(of: stored.selections, typed: typed) + clientPlan(of: operation)
  }

  /// Returns the arguments of a plan after its notation: the tables of possible types, leaves and
  /// inlined plans. Most plans need none of them.
  ///
  /// - Parameters:
  ///   - isAbstract: Whether the plan belongs to a fragment on an abstract type.
  ///   - typed: The leaves whose Swift types the plan needs. They include enums if its rows can be
  ///     printed.
  private func tables(
    of selections: [IR.Selection], isAbstract: Bool = false, typed: Set<TypeID>
  ) -> [String] {
    let tables = [
      hasField(of: typed, selections) ? tableOfLeaves : nil, inlined(selections),
    ].compactMap(\.self)
    let hasTypes = isAbstract || hasAbstractCondition(selections)
    if !hasTypes, tables.isEmpty { return [] }
    return ["types: " + (hasTypes ? "\(types.options.schemaName).__types" : "nil")] + tables
  }

  /// The argument with the Swift types of scalars and enums.
  var tableOfLeaves: String { "leaves: \(types.options.schemaName).__leaves" }

  /// Returns the argument with other fragments' plans by name: the `@inline` fragments that
  /// `selections` spread, and the fragments that derived fields are computed from.
  private func inlined(_ selections: [IR.Selection]) -> String? {
    if !hasInlined { return nil }
    let dependencies = SelectionDependencies(selections)
    let names = Set(dependencies.spreads).intersection(types.inlineFragments)
      .union(dependencies.derived)
    let pairs = names.map { (types.text($0), types.fragments[$0] ?? types.text($0)) }
      .sorted(byText: \.0)
      .map { "\"\($0.0)\": \($0.1).__plan" }
    return pairs.isEmpty ? nil : "inlined: [\(pairs.joined(separator: ", "))]"
  }

  private func hasField(of leaves: Set<TypeID>, _ selections: [IR.Selection]) -> Bool {
    if leaves.isEmpty { return false }
    return selections.hasSelection { selection in
      guard case .field(let field) = selection.content else { return false }
      return leaves.contains(field.type.named)
    }
  }

  private func hasAbstractCondition(_ selections: [IR.Selection]) -> Bool {
    let schema = types.schema
    return selections.hasSelection { selection in
      guard case .inlineFragment(let fragment) = selection.content else { return false }
      return schema[fragment.type].isAbstract
    }
  }

  /// Returns the argument with the plan of the client-only selections, if there are any.
  private func clientPlan(of operation: IR.Operation) -> [String] {
    guard let clientOnly = clientOnly[operation.name.symbol] else { return [] }
    var text = UTF8Buffer()
    text += "clientPlan: SelectionPlan("
    let plan = plans.plan(clientOnly.selections, on: clientOnly.root)
    SwiftEscaping.write(literal: plan, to: &text, tail: 2)
    text += ")"
    return [text.text]
  }
}
