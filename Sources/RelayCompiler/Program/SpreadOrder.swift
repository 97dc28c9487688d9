import GraphQLLanguage

/// Fragments, each after those that it spreads, with what they use. Found without recursion, however long a chain of spreads is.
struct SpreadOrder {
  private struct Step {
    let fragment: IR.Fragment
    let spreads: [Symbol]
    var next = 0
  }

  private(set) var fragments: [IR.Fragment] = []
  /// The variables and spreads in the selections of each fragment, without those of the fragments it spreads.
  private(set) var uses: [Symbol: SelectionUse] = [:]

  /// All fragments of a program.
  init(_ program: IR.Program) { self.init(program, from: program.fragments.map(\.name)) }

  /// The fragments that some lead to, themselves included.
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
