import GraphQLLanguage

/// The condition under which a selection is present: its `@include`, `@skip` and `@defer` combined.
///
/// A guard is in conjunctive normal form. It holds when all of its clauses hold, and a clause holds
/// when one of its literals does. A guard without clauses always holds; a guard with an empty
/// clause never does.
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

  /// The guard of a spread with `@defer`: its part has arrived, or `if` is false, so that it is not
  /// deferred.
  package init(_ deferral: IR.Deferral) {
    var clause: [Literal] = [.deferred(deferral.part)]
    if case .variable(let name)? = deferral.condition?.kind {
      clause.append(.variable(name, isNegated: true))
    }
    clauses = [clause]
  }

  var isAlways: Bool { clauses.isEmpty }
  var isNever: Bool { clauses.contains { $0.isEmpty } }

  /// The guard once every deferred part has arrived.
  var whenComplete: Guard {
    Guard(clauses: clauses.filter { clause in !clause.contains { $0.deferredPart != nil } })
  }

  /// The guard that holds when both guards hold.
  package func and(_ other: Guard) -> Guard {
    if isAlways { return other }
    if other.isAlways { return self }
    return Guard.simplified(clauses + other.clauses)
  }

  /// The guard that holds when at least one of both guards holds.
  ///
  /// Nested parts of many fragments on one object would double the clauses with each fragment. Beyond
  /// a limit the clauses of outer parts name all of these parts, so that there are few. A part never
  /// arrives before the one around it: it is the clause of the innermost parts that decides.
  package func or(_ other: Guard) -> Guard {
    if isAlways || other.isAlways { return .always }
    if self == other { return self }
    let isSmall = clauses.count * other.clauses.count <= Self.exactLimit
    return Guard.simplified(
      isSmall ? Guard.products(clauses, other.clauses) : Guard.combined(self, other))
  }

  /// The maximum number of clauses of an exact disjunction.
  private static let exactLimit = 256

  /// The disjunctions of each clause with each of the others, without those that always hold.
  private static func products(_ clauses: [[Literal]], _ others: [[Literal]]) -> [[Literal]] {
    clauses.flatMap { clause in others.compactMap { union(clause + $0) } }
  }

  /// The literals as a clause; `nil` if it always holds.
  private static func union(_ literals: [Literal]) -> [Literal]? {
    let union = Set(literals)
    let isTautology = union.contains { $0.negation.map(union.contains) ?? false }
    return isTautology ? nil : union.sorted()
  }

  /// The clauses of a disjunction in which outer parts are not distinguished.
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
    // Each outer clause, with all outer parts in place of its own.
    let clauses = sides.map { side in
      Set(side.outer.map { Set(outer + $0.filter { !isPart($0) }).sorted() }).sorted {
        $0.lexicographicallyPrecedes($1)
      }
    }
    return products(
      sides[0].conditions + clauses[0] + sides[0].innermost,
      sides[1].conditions + clauses[1] + sides[1].innermost)
  }

  /// The guard without the clauses that `outer` implies: the rest to check where `outer` holds.
  package func without(_ outer: Guard) -> Guard {
    Guard(
      clauses: clauses.filter { clause in
        !outer.clauses.contains { Set($0).isSubset(of: clause) }
      })
  }

  /// The outcome of replacing a literal.
  package enum Replacement {
    case holds
    case fails
    case literal(Literal)
  }

  /// The guard with each literal replaced by a constant or by another literal.
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

  /// Whether `other` holds whenever this guard does, judged by comparing clauses. The result may be
  /// `false` for an implication that needs several clauses.
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
