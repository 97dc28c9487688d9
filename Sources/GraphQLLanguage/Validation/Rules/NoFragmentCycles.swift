extension Rules {
  /// Forbids fragments that spread themselves, directly or through other fragments.
  static let noFragmentCycles: Rule = { context, visitors in
    // Each edge carries the fragment's name at the span of the spread.
    func edges(of position: Int) -> CycleSearch<Symbol, Name>.Edges {
      context.fragments[position].spreads.map {
        ($0.name.symbol, Name($0.name.symbol, span: $0.span))
      }
    }
    visitors.finish.append {
      var search = CycleSearch { name in context.fragmentPosition(name).map(edges) ?? [] }
      for (position, fragment) in context.fragments.enumerated() {
        // Use this fragment's own spreads, even if another fragment has the same name.
        let name = fragment.definition.name.symbol
        for cycle in search.cycles(from: name, along: edges(of: position)) {
          report(cycle, in: context)
        }
      }
    }
  }

  private static func report(_ cycle: [Name], in context: ValidationContext) {
    guard let target = cycle.last else { return }
    let via = cycle.dropLast().map { "\"\(context.text($0.symbol))\"" }
    context.report(
      "no-fragment-cycles",
      "Cannot spread fragment \"\(context.text(target.symbol))\" within itself"
        + (via.isEmpty ? "." : " via \(via.joined(separator: ", "))."),
      at: cycle.map(\.span))
  }
}
