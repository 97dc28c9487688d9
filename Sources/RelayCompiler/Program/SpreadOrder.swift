import GraphQLLanguage

/// The fragments of a program in dependency order, each after the fragments that it spreads, with
/// their uses.
///
/// The traversal keeps its own stack, so a long chain of spreads cannot overflow the call stack.
struct SpreadOrder {
  private struct Step {
    let fragment: IR.Fragment
    let spreads: [Symbol]
    var next = 0
  }

  private(set) var fragments: [IR.Fragment] = []
  /// The variables and spreads in each fragment's own selections, without those of the fragments it
  /// spreads.
  private(set) var uses: [Symbol: SelectionUse] = [:]

  /// Orders all fragments of a program.
  init(_ program: IR.Program) { self.init(program, from: program.fragments.map(\.name)) }

  /// Orders the fragments reachable from `roots`, the roots included.
  ///
  /// - Complexity: O(*n*) in the selections of those fragments.
  init(_ program: IR.Program, from roots: [Symbol]) {
    let known = program.fragmentsByName()
    var steps: [Step] = []
    for root in roots {
      enter(root, known, &steps)
      while var step = steps.popLast() {
        guard step.next < step.spreads.count else {
          fragments.append(step.fragment)
          continue
        }
        let name = step.spreads[step.next]
        step.next += 1
        steps.append(step)
        enter(name, known, &steps)
      }
    }
  }

  private mutating func enter(
    _ name: Symbol, _ known: [Symbol: IR.Fragment], _ steps: inout [Step]
  ) {
    guard uses[name] == nil, let fragment = known[name] else { return }
    var use = SelectionUse()
    use.add(fragment.selections)
    uses[name] = use
    steps.append(Step(fragment: fragment, spreads: use.spreads))
  }
}
