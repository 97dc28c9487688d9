import Testing

@testable import RelayStore

@Suite("Deferred parts in plans", .timeLimit(.minutes(1)))
struct DeferredPartTests {
  private let photos = DeferredPart(label: "Q$defer$photos", fragment: "Photos_person")
  private let name = DeferredPart(label: "Q$defer$Name", fragment: "Name")

  private func bind(_ plan: SelectionPlan, _ variables: JSONObject = [:]) -> BoundPlan {
    let names = KeyTable()
    let bindings = PlanBindings()
    return bindings.bind(plan, scope: VariableScope(operation: variables), names: names)
  }

  @Test("a term of a guard is a variable, or a part with its label and fragment")
  func terms() {
    let plan = SelectionPlan(
      #"P{...if "Q$defer$Name"|"Q$defer$photos":Photos_person|!$now{a Int ...if $b{c Int}} d Int}"#)
    let guarded = [
      GuardTerm.deferred(name), .deferred(photos), .variable(name: "now", passes: false),
    ]
    #expect(plan.slots[0].guards == [guarded])
    #expect(plan.slots[1].guards == [guarded, [.variable(name: "b", passes: true)]])
    #expect(plan.slots[2].guards.isEmpty)
    #expect(plan.slots.map(\.deferredParts) == [[name, photos], [name, photos], []])
    #expect(plan.variables == ["b", "now"])
  }

  @Test("a label that names no fragment is not of the notation")
  func malformed() {
    for text in [#"P{...if ""{a Int}}"#, #"P{...if "Q":{a Int}}"#, #"P{...if 1{a Int}}"#] {
      var decoder = PlanDecoder(bytes: Array(text.utf8), types: nil, leaves: [:])
      #expect(decoder.plan() == nil, "\(text)")
    }
  }

  @Test("a part is found at any depth, and so is a streamed list")
  func depth() {
    let inlined = SelectionPlan(#"F P{...if "F$defer$G"{...G}}"#)
    #expect(inlined.hasDeferredParts && !inlined.hasStreams)
    #expect(SelectionPlan(#"Q{a A{b B{...if "Q$defer$G"{...G}}}}"#).hasDeferredParts)
    #expect(SelectionPlan("Q{a A{...F}}", inlined: ["F": inlined]).hasDeferredParts)
    #expect(!SelectionPlan("Q{a A{...if $b{c Int ...F}}}").hasDeferredParts)
    let streamed = SelectionPlan(#"Q{a A{b [B]%stream(if:$now,label:"Q$stream$b") c [B]}}"#)
    #expect(streamed.hasStreams && !streamed.hasDeferredParts)
    #expect(streamed[0].slots.map(\.field?.streamLabel) == ["Q$stream$b", nil])
    #expect(!SelectionPlan(#"Q{a [A]%connection(key:"A_a")}"#).hasStreams)
  }

  @Test("a deferred spread is included, needed and independent of variables")
  func reference() {
    let plan = SelectionPlan(#"P{...if "Q$defer$Name"{...Name} ...if $b{...Other}}"#)
    #expect(plan.slots.map(\.isNeeded) == [true, false])
    #expect(plan.slots.map(\.isConditional) == [false, true])
    #expect(bind(plan, ["b": false]).isIncluded == [true, false])
  }

  @Test("the parts of an object are listed with the slots that wait for them")
  func parts() {
    let plan = SelectionPlan(
      #"P{id ID! ...if "Q$defer$Name"{name String} ...if "Q$defer$photos":Photos_person{photos [P{url String}] ...if "Q$defer$Name"{both Int}}}"#
    )
    let deferrals = bind(plan).deferrals
    #expect(deferrals.all.map(\.part) == [name, photos])
    #expect(deferrals.all.map(\.slots) == [[1, 3], [2, 3]])
    #expect(plan.slots.indices.filter(deferrals.isDeferred) == [1, 2, 3])
    #expect(bind(plan[2]).deferrals.isEmpty)
  }

  @Test("a slot waits for each of its guards, and for one part of each")
  func pending() {
    let plan = SelectionPlan(
      #"P{...if "Q$defer$Name"{a Int ...if "Q$defer$photos":Photos_person{b Int}} ...if "Q$defer$Name"|"Q$defer$photos":Photos_person{c Int} d Int}"#
    )
    let deferrals = bind(plan).deferrals
    func waiting(for pending: Set<DeferredPart>) -> [Int] {
      plan.slots.indices.filter { deferrals.isPending($0, waitingFor: pending) }
    }
    #expect(waiting(for: [name, photos]) == [0, 1, 2])
    #expect(waiting(for: [name]) == [0, 1])
    #expect(waiting(for: [photos]) == [1])
    #expect(waiting(for: []) == [])
  }

  @Test("a part whose condition is false, or that another spread includes, does not exist")
  func undeferred() {
    let plan = SelectionPlan(
      #"P{...if "Q$defer$Name"|!$late{a Int} ...if $b{...if "Q$defer$Name"{c Int}}}"#)
    func deferred(_ variables: JSONObject) -> [Int] {
      bind(plan, variables).deferrals.all.flatMap(\.slots)
    }
    #expect(deferred(["late": false, "b": false]) == [])
    #expect(deferred(["late": true, "b": false]) == [0])
    #expect(deferred(["late": .null, "b": true]) == [0, 1])
    #expect(deferred(["b": true]) == [0, 1])
    #expect(bind(plan, ["late": false]).isIncluded == [true, false])
  }
}
