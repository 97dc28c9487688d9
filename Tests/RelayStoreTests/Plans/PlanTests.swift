import RelayPersistence
import Testing

@testable import RelayStore

@Suite(.timeLimit(.minutes(1))) struct PlanTests {
  @Test("fields, spreads and type conditions are numbered depth first, in the order of the text")
  func slots() {
    let plan = SelectionPlan(
      "*Character{__typename String! name String! ...on Droid{primaryFunction String ...DroidDetails} friends [*Character{name String!}]}"
    )
    let names = plan.slots.map { slot in
      switch slot.content {
      case .field(let field): field.responseKey
      case .spread(let spread): "..." + spread.name
      case .condition(let condition): "on " + condition.typeName
      }
    }
    #expect(
      names == ["__typename", "name", "on Droid", "primaryFunction", "...DroidDetails", "friends"])
    #expect(plan.slots.map(\.enclosing) == [nil, nil, nil, 2, 2, nil])
    #expect(plan[5].slots.count == 1 && plan[5].isAbstract)
  }

  @Test("types state nullability at every list level")
  func types() {
    let plan = SelectionPlan("T{a [[Int!]]! b @Color c DateTime! d [T{x ID}!]}")
    let types = plan.slots.compactMap(\.field?.type)
    #expect(types[0].namedType == .int && types[0].isNullable == [false, true, false])
    #expect(types[1].namedType == .enumeration("Color") && types[1].isNullable == [true])
    #expect(types[2].namedType == .custom("DateTime") && types[2].isNullable == [false])
    #expect(types[3].namedType == .object && types[3].isNullable == [true, false])
  }

  @Test(
    "a box key has the arguments that are not absent, including nulls, and objects with sorted keys",
    arguments: [
      ([:], "f(c:[1,null])"),
      (["x": 1, "y": .null], #"f(a:1,c:[1,null],o:{"k":null})"#),
      (["x": .null, "y": 1], #"f(a:null,c:[1,1],o:{"k":1})"#),
      (
        ["x": "é\n", "y": ["b": 1.0, "a": true]],
        #"f(a:"é\n",c:[1,{"a":true,"b":1}],o:{"k":{"a":true,"b":1}})"#
      ),
      (
        ["x": .number(JSONNumber(digits: "-0")), "y": .number(JSONNumber(digits: "-0.0"))],
        #"f(a:0,c:[1,0],o:{"k":0})"#
      ),
    ] as [(JSONObject, String)])
  func storageKeys(_ variables: JSONObject, _ expected: String) {
    let plan = SelectionPlan(#"T{f(a:$x,c:[1,$y],o:{"k":$y}) Int}"#)
    let key = plan.slots[0].field?.storageKey(variables)
    // An object whose members are all absent is still a value.
    #expect(key == (variables.isEmpty ? "f(c:[1,null],o:{})" : expected))
  }

  @Test("the box key of a field without variables is the text of the plan")
  func constantStorageKey() {
    let plan = SelectionPlan(#"T{f(first:10,orderBy:{"field":"CREATED"}) Int g:h Int}"#)
    #expect(plan.slots[0].field?.storageKey([:]) == #"f(first:10,orderBy:{"field":"CREATED"})"#)
    #expect(plan.slots[1].field?.storageKey([:]) == "h")
  }

  @Test("the alternatives of a guard are inherited by nested guards")
  func guards() {
    let plan = SelectionPlan("T{...if $a|!$b{x Int ...if $c{y Int}} z Int}")
    let names = KeyTable()
    let bindings = PlanBindings()
    func included(_ variables: JSONObject) -> [Bool] {
      bindings.bind(plan, scope: VariableScope(operation: variables), names: names).isIncluded
    }
    #expect(included(["a": true, "b": true, "c": false]) == [true, false, true])
    #expect(included(["a": false, "b": false, "c": true]) == [true, true, true])
    #expect(included(["a": false, "b": true, "c": true]) == [false, false, true])
  }

  @Test("parts of a plan that do not depend on variables are bound once")
  func constants() {
    let plan = SelectionPlan(
      "Query{a(n:$n) A{b B{c Int} d D{e(n:$n) Int} ...F ...G(x:$n)} h H{...F} i I{...if $n{j Int}}}"
    )
    let names = KeyTable()
    let bindings = PlanBindings()
    func bind(_ number: JSONValue) -> BoundPlan {
      bindings.bind(plan, scope: VariableScope(operation: ["n": number]), names: names)
    }
    let (one, two) = (bind(1), bind(2))
    func isShared(_ path: Int...) -> Bool {
      let plans = [one, two].map { root in
        path.reduce(root) { plan, slot in plan?.children[slot] }
      }
      return plans[0] != nil && plans[0] === plans[1]
    }
    #expect(!isShared(0) && isShared(0, 0) && !isShared(0, 1))
    #expect(isShared(1) && !isShared(2))
  }

  @Test("an abstract type decides its possible types, and leaves unknown types and names undecided")
  func abstractTypes() {
    let types = AbstractTypes("Node=User|Todo;Subject=Bug;Empty=")
    #expect(types.satisfies("User", "Node") == true)
    #expect(types.satisfies("Bug", "Node") == false)
    #expect(types.satisfies("Comet", "Node") == nil)
    #expect(types.satisfies("User", "Unheard") == nil)
    #expect(types.satisfies("User", "Empty") == false)
  }

  @Test("a row created from values returns them, and rows with equal values are equal")
  func rows() {
    let todo = TodoRow_todo(
      id: "1", text: "a", isComplete: true,
      assignee: .init(name: "Ada", user_name: .value(.init(id: "u", name: "Ada"))))
    #expect(todo.id == "1" && todo.text == "a" && todo.isComplete)
    #expect(todo.assignee?.name == "Ada")
    let same = TodoRow_todo(
      id: "1", text: "a", isComplete: true,
      assignee: .init(name: "Ada", user_name: .value(.init(id: "u", name: "Ada"))))
    #expect(todo == same && todo.hashValue == same.hashValue)
    #expect(todo != TodoRow_todo(id: "1", text: "a", isComplete: true))
  }

  @Test("a row created from values equals one that was read, including type conditions")
  func readAndCreated() throws {
    let plan = SelectionPlan("Query{hero *Character{__typename String! ...on Droid{model String}}}")
    let test = TestStore()
    try test.write(plan, ["hero": ["__typename": "Droid", "model": "R2"]])
    let hero = Row(plan[0], "Droid", RowSlot.matches, "R2")
    #expect(
      test.read(plan).row.map(Row.init) == Row(plan, AnySelection(__row: hero)))
  }

  @Test("the JSON of a linked field merges the selections of the object and of its type condition")
  func overlappingJSON() {
    let plan = SelectionPlan(
      "Character{...on Droid{friends [User{id ID! age Int}]} friends [User{id ID! name String}]}")
    func user(_ slot: Int, _ second: some RowValue) -> AnySelection {
      AnySelection(__row: Row(plan[slot], "u", second))
    }
    let row = Row(plan, RowSlot.matches, GraphQLList([user(1, 3)]), GraphQLList([user(2, "Ada")]))
    #expect(row.box.json == ["friends": [["id": "u", "age": 3, "name": "Ada"]]])
  }

  @Test("printing and dumping a fragment show its fields")
  func mirror() {
    let todo = TodoRow_todo(id: "1", text: "a", isComplete: true)
    #expect(
      "\(todo)" == """
        TodoRow_todo(id: "1", text: "a", isComplete: true, assignee: nil)
        """)
    var text = ""
    dump(todo, to: &text)
    #expect(text.contains("- text: \"a\"") && text.contains("- isComplete: true"))
  }

  @Test("printing shows nested objects as types with fields")
  func printing() {
    let todo = TodoRow_todo(
      id: "1", text: "a", isComplete: true,
      assignee: .init(name: "Ada", user_name: .value(.init(id: "u", name: "Ada"))))
    let fields = #"id: "1", text: "a", isComplete: true, assignee: User_assignee(name: "Ada")"#
    #expect("\(todo)" == "TodoRow_todo(\(fields))")
  }

  @Test("an absent input value, null and a value are distinct")
  func nullable() {
    let query = TodoListQuery(first: 3, after: .null)
    #expect(query.__variables.json == ["first": 3, "after": nil])
    #expect(TodoListQuery().__variables.json == ["first": 10])
    let optional: String? = nil
    #expect((optional ?? .null) as GraphQLNullable<String> == .null)
    #expect(GraphQLNullable(optional, ifNil: .none) == GraphQLNullable<String>.none)
    let literal: GraphQLNullable<String> = "x"
    #expect(literal.unwrapped == "x")
  }

  @Test("a definition has a name, fragment variables and error handling")
  func definitions() {
    let plan = SelectionPlan("F($a,$b=1)~throw User{name String!}")
    #expect(
      plan.owner == "F" && plan.fragmentVariables.map(\.name) == ["a", "b"]
        && plan.handling == .throw)
    #expect(
      SelectionPlan("F *Node{id ID!}").owner == "F" && SelectionPlan("F *Node{id ID!}").isAbstract)
    #expect(SelectionPlan("F~null User{id ID!}").handling == .null)
    #expect(
      SelectionPlan("User{id ID!}").owner.isEmpty && SelectionPlan("User{id ID!}").handling == nil)
  }

  @Test("a plan lists the operation variables that its fragments use")
  func usedVariables() {
    let plan = SelectionPlan("F($a)<$c>User{name(x:$a) String nick(x:$b) String ...G(y:$a)<$c,$d>}")
    #expect(plan.used == ["b", "c"])
    guard case .spread(let spread) = plan.slots[2].content else {
      Issue.record("There is no spread.")
      return
    }
    let scope = VariableScope(operation: ["b": 1, "c": 2, "d": 3])
    let inner = spread.scope(in: scope, ["a": 5])
    #expect(inner.operation == ["c": 2, "d": 3] && inner.arguments == ["y": 5])
  }

  @Test("fields state how nulls and errors are handled")
  func handling() {
    let plan = SelectionPlan("T{a Int~none b [T{x ID~throw}!]!~log~result c Int~null}")
    let fields = plan.slots.compactMap(\.field)
    #expect(fields.map(\.required) == [RequiredAction.none, .log, nil])
    #expect(fields.map(\.catches) == [nil, .result, .null])
    #expect(plan[1].slots[0].field?.required == .throw)
  }
}
