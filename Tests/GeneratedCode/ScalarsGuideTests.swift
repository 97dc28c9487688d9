import Foundation
import RelayStore
import RelayStoreTesting
import Testing

@Suite("The guide to scalars", .timeLimit(.minutes(1)))
struct ScalarsGuideTests {
  @Test("an omitted value, a null and a value are sent differently")
  func nullable() {
    let texts = searches(for: nil).map { SearchQuery(search: .some($0)).__variables.json }
      .map { $0["search"]?.description }
    #expect(
      texts == [
        "{}", "{}", #"{"kind":null}"#, #"{"kind":"DOG"}"#, #"{"names":["Rex","Ada"],"limit":10}"#,
        #"{"kind":null}"#, "{}",
      ])
    #expect(searches(for: .cat).map(isSent) == [false, false, false, true, false, true, true])
    #expect(literals().contains("1.5"))
  }

  @Test("a scalar may be an object or an array")
  func place() throws {
    let place = try Coordinates(json: ["lat": 52.5, "lng": 13.4])
    #expect(try Coordinates(json: [52.5, 13.4]) == place)
    #expect(place.json == ["lat": 52.5, "lng": 13.4])
    #expect(throws: (any Error).self) { try Coordinates(json: ["lat": 52.5]) }
  }

  @Test("a numeric scalar reads JSON numbers and numbers in strings")
  func numeric() throws {
    for json: JSONValue in [12.5, "12.5", "12.50"] {
      #expect(try Decimal(json: json) == Decimal(string: "12.5"))
      #expect(json.numeric?.double == 12.5)
    }
    let digits = "18446744073709551616"
    let number = try #require(JSONNumber(digits))
    for json: JSONValue in [.number(number), .string(digits)] {
      #expect(try BigInteger(json: json).digits == digits)
    }
    for json: JSONValue in ["", "twelve", "+1", "0x1F", "1 2", "[1]", "1e999", true, .null, [1]] {
      #expect(throws: (any Error).self) { try Decimal(json: json) }
      #expect(throws: (any Error).self) { try BigInteger(json: json) }
    }
  }

  @Test("an updater writes a custom scalar as its JSON")
  func updates() throws {
    let environment = RelayEnvironment(transport: NoAnswer())
    try environment.commitUpdate { _ = try $0.create("p", type: "Product") }
    try raise(environment, "p", by: Cents(cents: 250))
    #expect(environment.store.dump().contains(#""price":"2.50""#))
  }
}

private struct NoAnswer: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    GraphQLResponse(body: [])
  }
}
