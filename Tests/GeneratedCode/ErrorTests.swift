import RelayStore
import Testing

@Suite("Error-handling directives at run time", .timeLimit(.minutes(1)))
struct ErrorTests {
  /// An environment with an account whose fields have these values, each written as JSON.
  private func account(
    nick: String = "\"ann\"", emails: String = "[\"a@b\"]",
    owner: String = #"{"id": "p", "name": "Ann"}"#, visits: String = "1"
  ) throws -> RelayEnvironment {
    try environment(
      AccountQuery(),
      """
      {"account": {"id": "a", "nick": \(nick), "emails": \(emails), "owner": \(owner),
        "visits": \(visits), "friends": [
          {"id": "q", "name": "Bob", "age": 4}, {"id": "r", "name": "Eve", "age": null}]}}
      """)
  }

  @Test("required and semantically non-null fields read as plain values")
  func values() throws {
    let data = try #require(try account().read(AccountQuery()).data)
    let account = try #require(data.account)
    #expect(account.nick == "ann" && account.owner?.name == "Ann")
    #expect(account.friends.map { $0?.age } == [4, nil])
    #expect(try account.emails.get().first == "a@b")
  }

  @Test("a null in a required field is an error with path and owner, and nulls its parent")
  func required() throws {
    let snapshot = try account(nick: "null").read(AccountQuery())
    #expect(snapshot.data?.account == nil && snapshot.data != nil)
    let error = try #require(snapshot.errors.first)
    #expect(error.kind == .required && error.path == ["account", "nick"])
    #expect(error.owner == "AccountQuery")
  }

  @Test("a caught field without a value is a failure")
  func caught() throws {
    let snapshot = try account(emails: "null", owner: "null").read(AccountQuery())
    let account = try #require(snapshot.data?.account)
    guard case .failure(let errors) = account.emails else { return #expect(Bool(false)) }
    #expect(errors.map(\.path) == [["account", "emails"]])
    #expect(account.owner == nil)
    #expect(snapshot.errors.isEmpty)
  }

  @Test("reading throws for @throwOnFieldError and @required(action: THROW), and only then")
  func throwing() async throws {
    let environment = try account(owner: "null", visits: "null")
    let account = try #require(environment.read(AccountQuery()).data?.account)
    let strict = #expect(throws: RelayError.self) {
      try environment.read(account.fragments.strict_account)
    }
    #expect(strict?.code == .field && strict?.path == ["owner"])
    let owned = #expect(throws: RelayError.self) {
      try environment.read(account.fragments.owned_account)
    }
    #expect((owned?.underlying as? FieldError)?.owner == "Owned_account")
    var iterator = environment.observe(account.fragments.owned_account).makeAsyncIterator()
    #expect(await iterator.next()?.data == nil)
    try environment.commitUpdate { try $0["a"]?.setValue(2, for: "visits") }
    #expect(await iterator.next()?.data?.visits == 2)
  }

  @Test("an initializer takes a caught field as a result")
  func initialized() throws {
    let account = AccountQuery.Data.Account_account(
      id: "a", nick: "ann", friends: [.init(name: "Bob", age: 4), nil],
      emails: .success(["a@b"]),
      strict_account: .value(.init(owner: .init(name: "Ann"), emails: [])),
      owned_account: .value(.init(id: "a", visits: 1)))
    #expect(try account.emails.get() == ["a@b"] && account.friends.last == .some(nil))
    var failed = account
    failed = .init(
      id: "a", nick: "ann", friends: [],
      emails: .failure([FieldError(kind: .server, message: "no", path: ["emails"])]),
      strict_account: account.fragments.strict_account,
      owned_account: account.fragments.owned_account)
    #expect(failed != account)
  }
}
