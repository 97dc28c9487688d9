extension Rules {
  /// Forbids fragments that spread themselves, directly or through other fragments.
  static let noFragmentCycles: Rule = { context, visitors in
    visitors.finish.append {
      var search = FragmentCycleSearch(context: context)
      for position in context.fragments.indices { search.start(at: position) }
    }
  }
}

/// A depth-first search for cycles that visits each fragment once and uses its own stack instead of
/// recursion.
private struct FragmentCycleSearch {
  private struct Step {
    let fragment: Int
    var nextSpread = 0
  }

  let context: ValidationContext
  private var isVisited: Set<Symbol> = []
  /// The stack of the search: the fragments from the first one to the current one. The spreads from
  /// each one to the next are in `path`.
  private var steps: [Step] = []
  private var path: [FragmentSpread] = []
  /// The number of spreads from the start of the path to each fragment on it, by name.
  private var depths: [Symbol: Int] = [:]

  init(context: ValidationContext) { self.context = context }

  private func name(_ fragment: Int) -> Symbol {
    context.fragments[fragment].definition.name.symbol
  }

  mutating func start(at fragment: Int) {
    guard isVisited.insert(name(fragment)).inserted else { return }
    enter(fragment)
    while var step = steps.popLast() {
      let spreads = context.fragments[step.fragment].spreads
      guard step.nextSpread < spreads.count else {
        depths[name(step.fragment)] = nil
        _ = path.popLast()
        continue
      }
      let spread = spreads[step.nextSpread]
      step.nextSpread += 1
      steps.append(step)
      follow(spread)
    }
    path = []
  }

  private mutating func enter(_ fragment: Int) {
    depths[name(fragment)] = path.count
    steps.append(Step(fragment: fragment))
  }

  private mutating func follow(_ spread: FragmentSpread) {
    let target = spread.name.symbol
    if let depth = depths[target] {
      report(Array(path[depth...]) + [spread])
      return
    }
    guard let fragment = context.fragmentPosition(target), isVisited.insert(target).inserted else {
      return
    }
    path.append(spread)
    enter(fragment)
  }

  private func report(_ cycle: [FragmentSpread]) {
    guard let target = cycle.last else { return }
    let via = cycle.dropLast().map { "\"\(context.text($0.name.symbol))\"" }
    context.report(
      "no-fragment-cycles",
      "Cannot spread fragment \"\(context.text(target.name.symbol))\" within itself"
        + (via.isEmpty ? "." : " via \(via.joined(separator: ", "))."),
      at: cycle.map(\.span))
  }
}
