import GraphQLLanguage

/// The condition for including a selection: its `@include`, `@skip` and `@defer` combined.
///
/// A guard is in conjunctive normal form. It holds when all its clauses hold; a clause holds when
/// one of its literals does. A guard without clauses always holds; a guard with an empty clause
/// never does.
package struct Guard: Hashable, Sendable {
  /// One alternative of a clause.
  package enum Literal: Hashable, Sendable, Comparable {
    /// Holds once the deferred part has arrived.
    case deferred(DeferredPart)
    /// A variable or its negation: `@include(if: $variable)`, or `@skip(if: $variable)` if
    /// `isNegated`.
    case variable(Symbol, isNegated: Bool)

    /// The deferred part; `nil` for a variable.
    package var deferredPart: DeferredPart? {
      if case .deferred(let part) = self { part } else { nil }
    }

    /// The literal that holds when this one does not; `nil` for a deferred part.
    fileprivate var negation: Literal? {
      guard case .variable(let name, let isNegated) = self else { return nil }
      return .variable(name, isNegated: !isNegated)
    }

    package static func < (left: Literal, right: Literal) -> Bool {
      switch (left, right) {
      case (.deferred(let left), .deferred(let right)):
        (left.label, left.fragment) < (right.label, right.fragment)
      case (.deferred, .variable): true
      case (.variable, .deferred): false
      case (.variable(let left, let isNegated), .variable(let right, let isOtherNegated)):
        left == right ? !isNegated && isOtherNegated : left < right
      }
    }
  }

  /// The clauses in insertion order, each with its literals sorted.
  private(set) var clauses: [[Literal]]

  package static let always = Guard(clauses: [])
  package static let never = Guard(clauses: [[]])

  private init(clauses: [[Literal]]) { self.clauses = clauses }

  package init(_ literal: Literal) { clauses = [[literal]] }

  /// Creates the guard of a deferred spread. It holds once the part has arrived, or when `if` is
  /// false so that the spread is not deferred.
  package init(_ deferral: IR.Deferral) {
    var clause: [Literal] = [.deferred(deferral.part)]
    if case .variable(let name)? = deferral.condition?.kind {
      clause.append(.variable(name, isNegated: true))
    }
    clauses = [clause]
  }

  var isAlways: Bool { clauses.isEmpty }
  var isNever: Bool { clauses.contains { $0.isEmpty } }

  /// The guard after every deferred part has arrived.
  var whenComplete: Guard {
    Guard(clauses: clauses.filter { clause in !clause.contains { $0.deferredPart != nil } })
  }

  /// Returns the guard that holds when both guards hold.
  package func and(_ other: Guard) -> Guard {
    if isAlways { return other }
    if other.isAlways { return self }
    return Guard.simplified(clauses + other.clauses)
  }

  /// Returns the guard that holds when at least one of the two guards holds.
  ///
  /// With nested parts of many fragments on one object, the clauses would double with each
  /// fragment. Beyond a limit, the clauses of outer parts all name the same parts instead, so their
  /// number is bounded. This is safe: a part never arrives before the part around it, so the clause
  /// of the innermost parts decides.
  package func or(_ other: Guard) -> Guard {
    if isAlways || other.isAlways { return .always }
    if self == other { return self }
    let isSmall = clauses.count * other.clauses.count <= Self.exactLimit
    return Guard.simplified(
      isSmall ? Guard.products(clauses, other.clauses) : Guard.combined(self, other))
  }

  /// The maximum number of clauses in an exact disjunction.
  private static let exactLimit = 256

  /// Returns the disjunctions of each clause with each of the others, dropping those that always
  /// hold.
  private static func products(_ clauses: [[Literal]], _ others: [[Literal]]) -> [[Literal]] {
    clauses.flatMap { clause in others.compactMap { union(clause + $0) } }
  }

  /// Returns the literals as a clause; `nil` if it always holds.
  private static func union(_ literals: [Literal]) -> [Literal]? {
    let union = Set(literals)
    let isTautology = union.contains { $0.negation.map(union.contains) ?? false }
    return isTautology ? nil : union.sorted()
  }

  /// Returns the clauses of a disjunction that does not distinguish between outer parts.
  private static func combined(_ left: Guard, _ right: Guard) -> [[Literal]] {
    func isPart(_ literal: Literal) -> Bool { literal.deferredPart != nil }
    let sides = [left, right].map { side in
      let parts = side.clauses.filter { $0.contains(where: isPart) }
      return (
        conditions: side.clauses.filter { !$0.contains(where: isPart) }, outer: parts.dropLast(),
        innermost: parts.suffix(1)
      )
    }
    let outer = sides.flatMap { $0.outer.joined() }.filter(isPart)
    // Each outer clause, with all outer parts instead of its own.
    let clauses = sides.map { side in
      Set(side.outer.map { Set(outer + $0.filter { !isPart($0) }).sorted() }).sorted {
        $0.lexicographicallyPrecedes($1)
      }
    }
    return products(
      sides[0].conditions + clauses[0] + sides[0].innermost,
      sides[1].conditions + clauses[1] + sides[1].innermost)
  }

  /// Returns the clauses that `outer` does not imply: those still to be checked where `outer`
  /// holds.
  package func without(_ outer: Guard) -> Guard {
    Guard(
      clauses: clauses.filter { clause in
        !outer.clauses.contains { Set($0).isSubset(of: clause) }
      })
  }

  /// The result of replacing a literal.
  package enum Replacement {
    case holds
    case fails
    case literal(Literal)
  }

  /// Returns the guard with each literal replaced by a constant or another literal.
  package func replacing(_ replacement: (Literal) -> Replacement) -> Guard {
    var result: [[Literal]] = []
    for clause in clauses {
      var literals: Set<Literal> = []
      var holds = false
      for literal in clause {
        switch replacement(literal) {
        case .holds: holds = true
        case .fails: continue
        case .literal(let other): literals.insert(other)
        }
      }
      if !holds { result.append(literals.sorted()) }
    }
    return Guard.simplified(result)
  }

  /// Returns whether `other` holds whenever this guard does, based on comparing clauses. May return
  /// `false` for an implication that depends on several clauses.
  package func implies(_ other: Guard) -> Bool {
    other.clauses.allSatisfy { clause in
      clauses.contains { Set($0).isSubset(of: clause) }
    }
  }

  /// Drops the clauses that another clause implies.
  private static func simplified(_ clauses: [[Literal]]) -> Guard {
    var kept: [(clause: [Literal], literals: Set<Literal>)] = []
    for clause in clauses {
      let literals = Set(clause)
      if kept.contains(where: { $0.literals.isSubset(of: literals) }) { continue }
      kept.removeAll { $0.literals.isSuperset(of: literals) }
      kept.append((clause, literals))
    }
    return Guard(clauses: kept.map(\.clause))
  }
}
