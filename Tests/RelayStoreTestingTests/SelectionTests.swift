import RelayStore
import RelayStoreTesting
import Testing

@Suite("Selection sets in the schema server", .timeLimit(.minutes(1)))
struct SelectionTests {
  @Test("fields are in the order of the request, under their response keys")
  func order() async throws {
    let response = try await Library.respond(
      #"{ second: book(id: "2") { title id __typename } first: book(id: 1) { id title author { name } } }"#
    )
    #expect(
      response.description
        == #"{"data":{"second":{"title":"Odes","id":"2","__typename":"Book"},"first":{"id":"1","title":"Emma","author":{"name":"Jane Austen"}}}}"#
    )
  }

  @Test("selections with one response key are merged, and resolved once")
  func merging() async throws {
    let calls = Counter()
    let response = try await Library.respond(
      """
      { book(id: 1) { ...A title ...B author { name } } }
      fragment A on Book { id author { __typename } }
      fragment B on Titled { title shout }
      """,
      resolvers: [
        "Book.author": { call in
          calls.add()
          return call.parent["author"]
        }
      ])
    #expect(
      response["data"]?.description
        == #"{"book":{"id":"1","author":{"__typename":"Author","name":"Jane Austen"},"title":"Emma","shout":"EMMA"}}"#
    )
    #expect(calls.count == 1)
  }

  @Test("fragments on unions and interfaces apply by the object's type")
  func abstractTypes() async throws {
    let response = try await Library.respond(
      """
      {
        things { __typename ... on Book { id } ...Film ... on Titled { title } ... { __typename } }
        titled { title ... on Thing { __typename } ... on Film { minutes } }
      }
      fragment Film on Film { minutes }
      """)
    #expect(
      response == [
        "data": [
          "things": [
            ["__typename": "Book", "id": "1", "title": "Emma"],
            ["__typename": "Film", "minutes": 153, "title": "Metropolis"],
          ],
          "titled": [
            ["title": "Metropolis", "__typename": "Film", "minutes": 153],
            ["title": "Odes", "__typename": "Book"],
          ],
        ]
      ])
  }

  @Test(
    "@skip and @include exclude selections",
    arguments: [
      (true, false, #"{"a":"Emma","d":"Emma"}"#), (false, true, #"{"b":"Emma","d":"Emma"}"#),
      (true, true, #"{"d":"Emma"}"#),
      (false, false, #"{"a":"Emma","b":"Emma","c":"Emma","d":"Emma"}"#),
    ])
  func conditions(skip: Bool, dontInclude: Bool, expected: String) async throws {
    let response = try await Library.respond(
      """
      query ($skip: Boolean!, $include: Boolean = true) {
        book(id: 1) {
          a: title @include(if: $include)
          b: title @skip(if: $skip)
          ... @skip(if: $skip) @include(if: $include) { c: title }
          ...D @skip(if: false)
          ... on Book @include(if: false) { e: title }
        }
      }
      fragment D on Book { d: title }
      """, ["skip": .bool(skip), "include": .bool(!dontInclude)])
    #expect(response["data"]?["book"]?.description == expected)
  }

  @Test("an interface's resolver is used unless the object type has its own")
  func interfaceResolvers() async throws {
    let response = try await Library.respond(
      "{ titled { shout } }", resolvers: ["Film.shout": { _ in "LIGHTS!" }])
    #expect(response["data"] == ["titled": [["shout": "LIGHTS!"], ["shout": "ODES"]]])
  }

  @Test("one of several operations is executed by its name")
  func operationNames() async throws {
    let document = "query A { a: __typename } query B { b: __typename }"
    #expect(
      try await Library.respond(document, operationName: "B") == ["data": ["b": "Query"]])
    let unnamed = try await Library.respond(document)
    #expect(
      Library.messages(unnamed) == [
        "Must provide operation name if query contains multiple operations."
      ])
    let unknown = try await Library.respond(document, operationName: "C")
    #expect(Library.messages(unknown) == [#"Unknown operation named "C"."#])
    #expect(unknown["data"] == nil)
  }

  @Test("the root fields of a mutation are executed serially, in order")
  func serialMutations() async throws {
    let titles = Titles()
    let response = try await Library.respond(
      #"mutation { b: add(title: "B") reset a: add(title: "A") }"#,
      resolvers: [
        "Mutation.add": { call in
          await Task.yield()
          return JSONValue(await titles.add(try call.argument("title")))
        },
        "Mutation.reset": { _ in JSONValue(await titles.reset()) },
      ])
    #expect(response.description == #"{"data":{"b":1,"reset":true,"a":1}}"#)
    #expect(await titles.log == ["B", "reset", "A"])
  }
}

/// A counter of calls from any thread.
final class Counter: Sendable {
  private let value = Locked(0)
  func add() { value.withLock { $0 += 1 } }
  var count: Int { value.withLock { $0 } }
}

private actor Titles {
  private(set) var log: [String] = []
  private var count = 0

  func add(_ title: String) -> Int {
    log.append(title)
    count += 1
    return count
  }

  func reset() -> Bool {
    log.append("reset")
    count = 0
    return true
  }
}
