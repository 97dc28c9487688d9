import GraphQLLanguage

/// A pass that prepares the fragments of operations for ``Flatten``, which expands the spreads. It
/// marks their selections as originating from a spread.
///
/// Fragments are never copied into one another, because nesting would become as deep as a chain of
/// fragments is long.
struct ExpandSpreads {
  /// The maximum number of selections in an operation with expanded spreads.
  static let selectionLimit = 200_000
  /// The maximum nesting depth of linked fields in an operation with expanded spreads.
  package static let depthLimit = 100

  /// The size and depth of selections with expanded spreads, capped at the limits.
  private struct Extent {
    var size = 0
    var depth = 0

    mutating func add(_ inner: Extent, depth: Int) {
      size = min(size + inner.size, ExpandSpreads.selectionLimit)
      self.depth = max(self.depth, min(inner.depth + depth, ExpandSpreads.depthLimit))
    }
  }

  private var extents: [Symbol: Extent] = [:]

  /// Returns the program with only the fragments that operations reach.
  ///
  /// An operation that would become too large or too deep is reported and omitted.
  package static func apply(
    to program: IR.Program, diagnostics: inout [Diagnostic]
  ) -> IR.Program {
    var dependencies = SelectionDependencies()
    for operation in program.operations { dependencies.add(operation.selections) }
    let order = FragmentDependencyOrder(program, from: dependencies.spreads)
    var pass = ExpandSpreads()
    for fragment in order.fragments {
      pass.extents[fragment.name] = pass.extent(of: fragment.selections)
    }
    var result = program
    result.operations = program.operations.filter { operation in
      let extent = pass.extent(of: operation.selections)
      guard
        let diagnostic = diagnostic(
          for: operation, extent: extent, symbols: program.symbols)
      else { return true }
      diagnostics.append(diagnostic)
      return false
    }
    result.fragments = order.fragments.map { fragment in
      var fragment = fragment
      fragment.selections = marked(fragment.selections)
      return fragment
    }
    return result
  }

  private static func diagnostic(
    for operation: IR.Operation, extent: Extent, symbols: SymbolTable
  ) -> Diagnostic? {
    let subject = "Operation \"\(symbols[operation.name.symbol])\""
    if extent.size >= selectionLimit {
      return Diagnostic(
        rule: "operation-size",
        message: "\(subject) selects more than \(selectionLimit) fields with its fragment "
          + "spreads expanded. Split it.", at: operation.name.span)
    }
    guard extent.depth >= depthLimit else { return nil }
    return Diagnostic(
      rule: "operation-depth",
      message: "\(subject) nests objects \(depthLimit) levels deep with its fragment "
        + "spreads expanded. Fetch deeper objects with another operation.", at: operation.name.span)
  }

  private func extent(of selections: [IR.Selection]) -> Extent {
    var result = Extent(size: min(selections.count, Self.selectionLimit))
    for selection in selections {
      switch selection.content {
      case .field(let field):
        if !field.selections.isEmpty { result.add(extent(of: field.selections), depth: 1) }
      case .inlineFragment(let fragment): result.add(extent(of: fragment.selections), depth: 0)
      case .spread(let spread): result.add(extents[spread.name] ?? Extent(), depth: 0)
      }
    }
    return result
  }

  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  private static func marked(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.map { selection in
      var selection = selection
      selection.isImplicit = true
      switch selection.content {
      case .field(let field):
        if !field.selections.isEmpty {
          selection.content = .field(field.with(selections: marked(field.selections)))
        }
      case .inlineFragment(var fragment):
        fragment.selections = marked(fragment.selections)
        selection.content = .inlineFragment(fragment)
      case .spread: break
      }
      return selection
    }
  }
}
