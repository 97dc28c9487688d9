import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("Guards", .timeLimit(.minutes(10)))
struct GuardTests {
  private let a = Guard(.init(variable: Symbol(index: 100), isNegated: false))
  private let notA = Guard(.init(variable: Symbol(index: 100), isNegated: true))
  private let b = Guard(.init(variable: Symbol(index: 101), isNegated: false))
  private let c = Guard(.init(variable: Symbol(index: 102), isNegated: false))

  private func holds(_ condition: Guard, _ values: [Bool]) -> Bool {
    condition.clauses.allSatisfy { clause in
      clause.contains { values[Int($0.variable.index) - 100] != $0.isNegated }
    }
  }

  @Test("and, or, without and implies agree with truth tables")
  func truthTables() {
    let samples = [
      Guard.always, a, notA, b, c, a.and(b), a.or(b), notA.and(c), a.and(b).or(notA.and(c)),
    ]
    for left in samples {
      for right in samples {
        for bits in 0..<8 {
          let values = (0..<3).map { bits >> $0 & 1 == 1 }
          let (l, r) = (holds(left, values), holds(right, values))
          #expect(holds(left.and(right), values) == (l && r))
          #expect(holds(left.or(right), values) == (l || r))
          if r { #expect(holds(left.without(right), values) == l) }
          if left.implies(right), l { #expect(r) }
        }
      }
    }
  }

  @Test("the disjunction of a guard and its negation always holds")
  func tautology() {
    #expect(a.or(notA).isAlways)
    #expect(a.and(b).or(a) == a)
    #expect(Guard.never.isNever && !a.isNever)
  }
}
