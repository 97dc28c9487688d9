import GraphQLLanguage

/// The fragments of a program in dependency order, each after the fragments it spreads, and their
/// dependencies.
///
/// The traversal uses an explicit stack, so a long chain of spreads cannot overflow the call stack.
struct FragmentDependencyOrder {
  private struct Step {
    let fragment: IR.Fragment
    let spreads: [Symbol]
    var next = 0
  }

  private(set) var fragments: [IR.Fragment] = []
  /// The variables and spreads in each fragment's own selections, excluding those of the fragments
  /// it spreads.
  private(set) var dependencies: [Symbol: SelectionDependencies] = [:]

  /// Orders all fragments of a program.
  init(_ program: IR.Program) { self.init(program, from: program.fragments.map(\.name)) }

  /// Orders the fragments reachable from `roots`, including the roots.
  ///
  /// - Complexity: O(*n*) in the selections of those fragments.
  init(_ program: IR.Program, from roots: [Symbol]) {
    let fragmentsByName = program.fragmentsByName()
    var steps: [Step] = []
    for root in roots {
      enter(root, among: fragmentsByName, stack: &steps)
      while var step = steps.popLast() {
        guard step.next < step.spreads.count else {
          fragments.append(step.fragment)
          continue
        }
        let name = step.spreads[step.next]
        step.next += 1
        steps.append(step)
        enter(name, among: fragmentsByName, stack: &steps)
      }
    }
  }

  private mutating func enter(
    _ name: Symbol, among fragmentsByName: [Symbol: IR.Fragment], stack: inout [Step]
  ) {
    guard dependencies[name] == nil, let fragment = fragmentsByName[name] else { return }
    let own = SelectionDependencies(fragment.selections)
    dependencies[name] = own
    stack.append(Step(fragment: fragment, spreads: own.spreads))
  }
}
