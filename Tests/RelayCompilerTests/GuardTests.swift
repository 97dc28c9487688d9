import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("Guards", .timeLimit(.minutes(1)))
struct GuardTests {
  private let a = Guard(.variable(Symbol(index: 100), isNegated: false))
  private let notA = Guard(.variable(Symbol(index: 100), isNegated: true))
  private let b = Guard(.variable(Symbol(index: 101), isNegated: false))
  private let c = Guard(
    .deferred(DeferredPart(label: Symbol(index: 102), fragment: Symbol(index: 100))))

  private func holds(_ condition: Guard, _ values: [Bool]) -> Bool {
    condition.clauses.allSatisfy { clause in
      clause.contains { literal in
        switch literal {
        case .variable(let name, let isNegated): values[Int(name.index) - 100] != isNegated
        case .deferred(let part): values[Int(part.label.index) - 100]
        }
      }
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

  @Test("only variables decide once every deferred part has arrived")
  func complete() {
    #expect(c.whenComplete.isAlways && c.or(a).whenComplete.isAlways)
    #expect(c.and(a).whenComplete == a)
    #expect(a.whenComplete == a && Guard.never.whenComplete.isNever)
  }

  @Test("the disjunction of many nested parts names all of them in few clauses, the innermost last")
  func manyParts() {
    func part(_ index: Int) -> Guard {
      let label = Symbol(index: UInt32(200 + index))
      return Guard(.deferred(DeferredPart(label: label, fragment: label)))
    }
    let all = (0..<12).map { a.and(part(2 * $0)).and(part(2 * $0 + 1)) }
    let either = all.dropFirst().reduce(all[0]) { $0.or($1) }
    #expect(either.clauses.count <= 256)
    #expect(either.whenComplete == a)
    #expect(Set(either.clauses.joined().compactMap(\.deferredPart)).count == 24)
    let innermost = either.clauses.last?.compactMap { $0.deferredPart.map(\.label.index) }
    #expect(innermost == (0..<12).map { 201 + 2 * $0 })
  }
}
