@_spi(GeneratedCode) import RelayStore
import RelayStoreTesting
import Testing

private let strict = graphql(
  """
  fragment Strict_user on User { name @required(action: THROW) }
  query StrictQuery @throwOnFieldError { me { name @required(action: THROW) } }
  """)

/// Reading with `@required`, `@catch` and `@throwOnFieldError`.
@Suite(.timeLimit(.minutes(1))) struct ErrorHandlingTests {
  private static let schema = """
    type Query { me: User hero: Character }
    type User { id: ID! name: String nick: String age: Int friends: [User] }
    interface Character { id: ID! }
    type Droid implements Character { id: ID! model: String }
    type Human implements Character { id: ID! model: String }
    """

  private func selection(_ document: String) -> TestSelection {
    TestSelection(document, schema: Self.schema)
  }

  /// Returns a store with a user whose name is null by default, with a server error if `error` is
  /// given.
  private func store(name: JSONValue = nil, error: String? = nil) throws -> TestStore {
    let test = TestStore()
    let errors: JSONValue = error.map { [["message": .string($0), "path": ["me", "name"]]] } ?? []
    try test.write(
      selection("{ me { id name age friends { id name } } }"),
      [
        "me": [
          "id": "u", "name": name, "age": 7,
          "friends": [["id": "a", "name": "Ada"], ["id": "b", "name": nil]],
        ]
      ], errors: errors)
    return test
  }

  @Test("of two fields with one key, the errors of the one whose value is stored are stored")
  func sharedKey() throws {
    let both = selection("{ me { id a: nick b: nick } }")
    let nick = selection("{ me { nick } }")
    let strict = selection("query Q @throwOnFieldError { me { nick } }")
    for (failed, isShown) in [("a", true), ("b", false)] {
      let test = TestStore()
      var user: JSONObject = ["id": "u", "a": "Ann", "b": "Ann"]
      user[failed] = .null
      try test.write(
        both, ["me": .object(user)],
        errors: [["message": "no", "path": ["me", .string(failed)]]])
      #expect(test.json(nick) == ["me": ["nick": isShown ? "Ann" : nil]])
      #expect(test.read(nick).errors.isEmpty == isShown)
      #expect((test.read(strict).failure == nil) == isShown)
    }
  }

  // MARK: @required

  @Test("a required null makes its object null; NONE reports nothing")
  func requiredNone() throws {
    let snapshot = try store().read(selection("{ me { name @required(action: NONE) age } }"))
    #expect(snapshot.row?.json == ["me": nil])
    #expect(snapshot.errors.isEmpty && snapshot.missing.isEmpty && snapshot.failure == nil)
  }

  @Test("LOG reports a field error with path and owner, and keeps the rest")
  func requiredLog() throws {
    let snapshot = try store().read(
      selection("query Q { me { name @required(action: LOG) } again: me { age } }"))
    #expect(snapshot.row?.json == ["me": nil, "again": ["age": 7]])
    let error = try #require(snapshot.errors.first)
    #expect(snapshot.errors.count == 1 && snapshot.failure == nil)
    #expect(error.kind == .required && error.owner == "Q" && error.path == ["me", "name"])
    #expect(snapshot.cause == nil)
    #expect(error.message == "Field \"name\" is @required and null.")
  }

  @Test("THROW leaves the definition without data, and reading it fails with the error")
  func requiredThrow() throws {
    let snapshot = try store().read(
      selection("{ me { name @required(action: THROW) } again: me { age } }"))
    #expect(snapshot.row == nil)
    #expect(snapshot.errors.map(\.path) == [["me", "name"]])
    #expect(snapshot.failure == snapshot.errors.first)
  }

  @Test("reading an object stops at its first failure")
  func firstFailure() throws {
    let test = try store()
    let snapshot = test.read(
      selection(
        """
        {
          me {
            name @required(action: LOG)
            nick: name @required(action: LOG)
            unknown: nick
            friends { name @required(action: LOG) }
          }
        }
        """))
    #expect(snapshot.errors.map(\.path) == [["me", "name"]])
    #expect(snapshot.missing.isEmpty)
    #expect(snapshot.seen.count == 2)
  }

  @Test("a list element without its required field is null; the others are kept")
  func requiredInList() throws {
    let snapshot = try store().read(
      selection("{ me { friends { name @required(action: LOG) } } }"))
    #expect(snapshot.row?.json == ["me": ["friends": [["name": "Ada"], nil]]])
    #expect(snapshot.errors.map(\.path) == [["me", "friends", 1, "name"]])
  }

  @Test("a null in a required object makes the object null, and so on up to the root")
  func nested() throws {
    let snapshot = try store().read(
      selection("{ me @required(action: LOG) { name @required(action: LOG) } }"))
    #expect(snapshot.row == nil && snapshot.failure == nil)
    #expect(snapshot.errors.map(\.path) == [["me", "name"], ["me"]])
  }

  @Test("a field that was never written is both missing and a required failure")
  func requiredMissing() throws {
    let snapshot = try store().read(selection("{ me { nick @required(action: THROW) } }"))
    #expect(snapshot.row == nil && snapshot.missing == [["me", "nick"]])
    #expect(snapshot.failure?.path == ["me", "nick"])
  }

  @Test("a required field with a value reads as usual; an excluded field is not required")
  func requiredPresent() throws {
    let query = selection(
      """
      query Q($on: Boolean!) {
        me {
          age @required(action: THROW)
          name @required(action: THROW) @include(if: $on)
        }
      }
      """)
    #expect(try store().json(query, variables: ["on": false]) == ["me": ["age": 7]])
    #expect(try store(name: "Eve").json(query, variables: ["on": true])?["me"]?["name"] == "Eve")
    #expect(try store().read(query, variables: ["on": true]).row == nil)
  }

  @Test(
    "a required null in a type condition that holds makes the object null; otherwise it has no effect"
  )
  func requiredInCondition() throws {
    let test = TestStore()
    try test.write(
      selection("{ hero { id ... on Droid { model } } }"),
      ["hero": ["__typename": "Droid", "id": "d", "model": nil]])
    let droid = selection("{ hero { ... on Droid { model @required(action: LOG) } } }")
    #expect(test.read(droid).row?.json == ["hero": nil])
    let human = selection("{ hero { ... on Human { model @required(action: LOG) } } }")
    #expect(test.read(human).row?.json == ["hero": ["__typename": "Droid"]])
  }

  // MARK: @catch

  @Test("a caught field is its value or its errors, which are reported nowhere else")
  func caughtField() throws {
    let query = selection("query Q { me { name @catch(to: RESULT) age } }")
    let failed = try store(error: "no name").read(query)
    guard case .row(let me)? = failed.row?.slots[0].value else { return #expect(Bool(false)) }
    let name: Result<String?, FieldErrors> = Row(me)[0]
    let error = FieldError(kind: .server, message: "no name", path: ["me", "name"], owner: "Q")
    #expect(name == .failure([error]))
    #expect(Row(me)[1] as Int? == 7)
    #expect(failed.errors.isEmpty && failed.failure == nil)
    guard case .row(let whole)? = try store(name: "Eve").read(query).row?.slots[0].value else {
      return #expect(Bool(false))
    }
    #expect(Row(whole)[0] as Result<String?, FieldErrors> == .success("Eve"))
  }

  @Test("a caught null without an error is a success with nil")
  func caughtNull() throws {
    let snapshot = try store().read(
      selection("{ me @catch(to: RESULT) { name @required(action: NONE) } }"))
    let me: Result<User_name?, FieldErrors> = Row(try #require(snapshot.row))[0]
    #expect(me == .success(nil))
  }

  @Test(
    "a caught null where none may be is an error alone, and a caught absent field is missing too")
  func caughtNullOrAbsent() throws {
    let schema = "type Query { me: User } type User { id: ID! age: Int best: User! }"
    let query = TestSelection(
      "{ me { age best @catch(to: RESULT) { id } } }", schema: schema)
    let test = TestStore()
    try test.write(
      TestSelection("{ me { id age best { id } } }", schema: schema),
      ["me": ["id": "u", "age": 7, "best": nil]],
      errors: [["message": "no", "path": ["me", "best"]]])
    let failed = test.read(query)
    #expect(failed.row?.json["me"]?["age"] == 7)
    #expect(failed.missing.isEmpty && failed.errors.isEmpty && !failed.lacksData)
    let other = TestStore()
    try other.write(
      TestSelection("{ me { id age } }", schema: schema), ["me": ["id": "u", "age": 7]])
    let absent = other.read(query)
    #expect(absent.missing == [["me", "best"]] && absent.errors.isEmpty && absent.lacksData)
  }

  @Test("@catch around @required catches LOG and THROW", arguments: ["LOG", "THROW"])
  func caughtRequired(action: String) throws {
    let snapshot = try store().read(
      selection("query Q { me @catch(to: RESULT) { name @required(action: \(action)) } }"))
    let me: Result<User_name?, FieldErrors> = Row(try #require(snapshot.row))[0]
    guard case .failure(let errors) = me else { return #expect(Bool(false)) }
    #expect(errors.map(\.kind) == [.required] && errors.first?.path == ["me", "name"])
    #expect(errors.first?.owner == "Q")
    #expect(snapshot.errors.isEmpty && snapshot.failure == nil)
  }

  @Test("@catch(to: NULL) is null if anything inside failed")
  func caughtAsNull() throws {
    let snapshot = try store().read(
      selection("{ me { friends @catch(to: NULL) { name @required(action: THROW) } age } }"))
    #expect(snapshot.row?.json == ["me": ["friends": nil, "age": 7]])
    #expect(snapshot.errors.isEmpty)
  }

  @Test("missing data inside a caught field is an error of the field and stays missing")
  func caughtMissing() throws {
    let snapshot = try store().read(
      selection(
        """
        {
          me @required(action: LOG) {
            nick @catch(to: RESULT)
            age @required(action: LOG)
          }
        }
        """))
    guard case .row(let me)? = snapshot.row?.slots[0].value else { return #expect(Bool(false)) }
    guard case .failure(let errors) = Row(me)[0] as Result<String?, FieldErrors> else {
      return #expect(Bool(false))
    }
    #expect(errors.map(\.kind) == [.missing] && errors.first?.path == ["me", "nick"])
    #expect(snapshot.missing == [["me", "nick"]])
  }

  @Test("the errors of a nested catch are not errors of the outer one")
  func nestedCatch() throws {
    let snapshot = try store(error: "no").read(
      selection(
        "{ me @catch(to: RESULT) { name @catch(to: RESULT) nick @catch(to: NULL) } }"))
    guard case .row? = snapshot.row?.slots[0].value else { return #expect(Bool(false)) }
  }

  @Test("a null in a caught non-null field is a failure and does not propagate")
  func caughtNonNull() throws {
    let snapshot = try store().read(
      TestSelection(
        "{ me { name @catch(to: RESULT) age } }",
        schema: """
          type Query { me: User }
          type User { name: String! age: Int }
          """))
    guard case .row(let me)? = snapshot.row?.slots[0].value else { return #expect(Bool(false)) }
    guard case .failure = Row(me)[0] as Result<String, FieldErrors> else {
      return #expect(Bool(false))
    }
  }

  // MARK: Definitions

  @Test("@throwOnFieldError fails with field errors and with missing data")
  func throwOnFieldError() throws {
    let query = selection("query Q @throwOnFieldError { me { name age } }")
    let failed = try store(error: "no name").read(query)
    #expect(failed.row == nil && failed.failure?.message == "no name")
    #expect(failed.errors.count == 1)
    #expect(try store().read(query).row?.json == ["me": ["name": nil, "age": 7]])
    let missing = try store().read(selection("query Q @throwOnFieldError { me { nick } }"))
    #expect(missing.row == nil && missing.failure?.kind == .missing)
    #expect(missing.failure?.path == ["me", "nick"] && missing.failure?.owner == "Q")
  }

  @Test("@throwOnFieldError ignores errors caught inside, and LOG")
  func throwOnFieldErrorCaught() throws {
    let caught = try store(error: "no").read(
      selection(
        "query Q @throwOnFieldError { me { name @catch(to: RESULT) nick @catch(to: NULL) } }"))
    #expect(caught.row != nil && caught.failure == nil)
    let logged = try store().read(
      selection("query Q @throwOnFieldError { me { name @required(action: LOG) } }"))
    #expect(logged.row?.json == ["me": nil] && logged.failure == nil)
  }

  @Test("@catch on a definition leaves no data: RESULT reports the errors, NULL does not")
  func caughtDefinition() throws {
    let query = selection("query Q @catch(to: RESULT) { me { name } }")
    let result = try store(error: "no").read(query)
    #expect(result.row == nil && result.errors.count == 1 && result.failure == nil)
    let null = try store(error: "no").read(
      selection("query Q @catch(to: NULL) { me { name @required(action: THROW) } }"))
    #expect(null.row == nil && null.errors.isEmpty && null.failure == nil)
    #expect(try store().read(query).row != nil)
  }

  @Test("an @inline fragment owns its errors, and its failure is that of the whole read")
  func inlined() throws {
    func query(_ field: String) -> TestSelection {
      selection(
        """
        query Outer { me { age ...Inner } }
        fragment Inner on User @inline @throwOnFieldError { \(field) }
        """)
    }
    let snapshot = try store(error: "no").read(query("name"))
    #expect(snapshot.errors.map(\.owner) == ["Inner"])
    #expect(snapshot.row == nil && snapshot.failure?.owner == "Inner")
    let holed = try store().read(query("nick"))
    #expect(holed.failure?.path == ["me", "nick"] && holed.failure?.owner == "Inner")
  }

  // MARK: Environment

  @Test("read throws a failure that a stream delivers as a snapshot without data")
  func reading() async throws {
    let test = try store()
    let reference = FragmentRef<Strict_user>(id: "u")
    let error = #expect(throws: RelayError.self) { try test.environment.read(reference) }
    #expect(error?.code == .field && error?.path == ["name"])
    #expect(
      error?.message
        == "\"Strict_user\" cannot be read at \"name\": Field \"name\" is @required and null.")
    #expect((error?.underlying as? FieldError)?.owner == "Strict_user")
    var iterator = test.environment.observe(reference).makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.data == nil && first?.errors.map(\.kind) == [.required])
    try test.environment.commitUpdate { try $0["u"]?.setValue("Eve", for: "name") }
    #expect(await iterator.next()?.data?.name == "Eve")
    #expect(try test.environment.read(reference).data?.name == "Eve")
  }

  @Test("fetch throws the failure too, after the response is committed")
  func fetching() async throws {
    let transport = MockTransport()
    let environment = RelayEnvironment(store: RecordStore(), transport: transport)
    let fetched = Task { try await environment.fetch(StrictQuery()) }
    try await transport.next().resolve(data: ["me": ["id": "u", "name": nil]])
    let error = await #expect(throws: RelayError.self) { try await fetched.value }
    #expect(error?.code == .field && error?.path == ["me", "name"])
    #expect(environment.store.dump().contains("\"u\""))
  }

  @Test("a stream has no data while there is an error, and the data after it is removed")
  func stream() async throws {
    let test = try store(error: "no name")
    var iterator = test.environment.snapshots(of: StrictQuery()).makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.data == nil && first?.errors.map(\.kind) == [.server, .required])
    try test.write(selection("{ me { id name } }"), ["me": ["id": "u", "name": "Eve"]])
    let second = await iterator.next()
    #expect(second?.data != nil && second?.errors.isEmpty == true)
  }

  @Test("a snapshot's result has the data or all errors")
  func result() throws {
    let test = try store(error: "no")
    let snapshot = test.environment.read(FragmentRef<User_name>(id: "u"))
    guard case .failure(let errors) = snapshot.result else { return #expect(Bool(false)) }
    #expect(errors.map(\.kind) == [.server])
    #expect(test.environment.read(FragmentRef<User_name>(id: "a")).result.isSuccess)
  }

  // MARK: Initialized values

  @Test("rows with results can be compared and hashed")
  func initialized() {
    let plan = selection("fragment F on User { name @catch(to: RESULT) }").reader
    let errors: FieldErrors = [FieldError(kind: .server, message: "no", path: ["name"])]
    let failed = Row(plan, Result<String?, FieldErrors>.failure(errors))
    let whole = Row(plan, Result<String?, FieldErrors>.success("Ada"))
    #expect(failed != whole && failed.hashValue != whole.hashValue)
    #expect(failed == Row(plan, Result<String?, FieldErrors>.failure(errors)))
    #expect(failed[0] as Result<String?, FieldErrors> == .failure(errors))
    #expect(whole[0] as Result<String?, FieldErrors> == .success("Ada"))
    #expect(errors.description == "name: no")
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
