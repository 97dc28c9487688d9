import Foundation
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Errors thrown by scalars and derived fields", .timeLimit(.minutes(1)))
struct ScalarErrorTests {
  private let bad = #"{"price": 5, "prices": ["2.25", [1], null, 7], "account": null}"#

  @Test(
    "an error that a scalar throws is the field error's underlying error and part of its message")
  func underlying() throws {
    let snapshot = try environment(PricesQuery(), #"{"price": 5, "prices": null, "flag": "x"}"#)
      .read(PricesQuery())
    #expect(
      snapshot.errors.map(\.message) == [
        "The value of scalar \"Money\" does not convert to Cents: NotCents()",
        "The value of scalar \"Flag\" does not convert to Bool: the JSON is not true or false",
      ])
    let underlying = try #require(snapshot.errors.first?.underlying)
    #expect("\(underlying)" == "NotCents()")
  }

  @Test("the conversion error of a caught field is its only error")
  func caughtField() throws {
    let snapshot = try environment(CaughtPricesQuery(), bad).read(CaughtPricesQuery())
    let data = try #require(snapshot.data)
    guard case .failure(let price) = data.price, case .failure(let prices) = data.prices else {
      return #expect(Bool(false))
    }
    #expect(price.map(\.kind) == [.scalar] && price.first?.path == ["price"])
    #expect(price.first?.underlying != nil)
    #expect(prices.map(\.path) == [["prices", 1], ["prices", 3]])
    #expect(prices.map(\.kind) == [.scalar, .scalar])
    #expect(snapshot.missing.isEmpty && snapshot.errors.isEmpty)
    #expect(try snapshot.result.get() != nil)
  }

  @Test("the conversion error in a caught definition is in its result once")
  func caughtDefinition() throws {
    let snapshot = try environment(CaughtAllQuery(), #"{"price": 5, "prices": ["2.25"]}"#)
      .read(CaughtAllQuery())
    guard case .failure(let errors) = snapshot.result else { return #expect(Bool(false)) }
    #expect(errors.map(\.kind) == [.scalar] && snapshot.data == nil)
  }

  @Test(
    "a caught null has only the server's error; a missing field beside it adds its own",
    arguments: [
      (#"null"#, [FieldError.Kind.server]),
      (#"[{"id": "p", "name": null}]"#, [.server]),
      (#"[{"id": "p", "name": null}, {"id": "q", "name": null}]"#, [.server, .missing]),
    ])
  func serverError(friends: String, kinds: [FieldError.Kind]) async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    async let fetched = environment.fetch(CaughtPricesQuery())
    let account = try JSONValue(parsing: Array(#"{"id": "a", "friends": \#(friends)}"#.utf8))
    try await server.next().resolve(
      data: ["price": "1.00", "prices": [], "account": account],
      errors: [["message": "no", "path": ["account", "friends", 0, "name"]]])
    guard case .failure(let errors)? = try await fetched.data?.account else {
      return #expect(Bool(false))
    }
    #expect(errors.map(\.kind) == kinds)
  }

  @Test("the underlying error takes no part in equality")
  func equality() {
    let path: ResponsePath = ["price"]
    let first = FieldError(
      kind: .scalar, message: "no", path: path, underlying: CancellationError())
    let second = FieldError(kind: .scalar, message: "no", path: path)
    #expect(first == second && first.hashValue == second.hashValue)
    #expect(first != FieldError(kind: .scalar, message: "other", path: path))
    #expect(first != FieldError(kind: .server, message: "no", path: path))
  }

  @Test(
    "a derived field's error has the first 300 characters of the thrown error's description"
  )
  func derived() throws {
    struct Refusal: LocalizedError {
      var errorDescription: String? { "no " + String(repeating: "x", count: 10_000) }
    }
    let environment = try environment(
      TagQuery(id: "1"), #"{"person": {"id": "1", "name": "Ann"}}"#)
    try environment.commitUpdate { try $0["1"]?.setValue("Dr.", for: "draft") }
    environment.derive("Person.title") { (_: Title_person) -> String in throw Refusal() }
    let error = try #require(environment.read(TagQuery(id: "1")).errors.first)
    #expect(error.kind == .derived && error.underlying is Refusal)
    #expect(error.message.contains("failed: no xxx") && error.message.count < 400)
    #expect(error.message.hasSuffix("…"))
  }

  @Test("a conversion error in a getter of an updatable makes the updater throw it")
  func updatable() throws {
    let environment = try environment(PricesQuery(), #"{"price": 5, "prices": [], "flag": true}"#)
    let error = #expect(throws: RelayError.self) {
      try environment.commitUpdate { store in _ = try store.updatable(PriceUpdateQuery()).price }
    }
    #expect(error?.message.hasSuffix("has a value that is not of type Cents: NotCents().") == true)
    #expect(error?.underlying.map { "\($0)" } == "NotCents()")
  }
}
