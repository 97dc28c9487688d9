import Foundation
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Custom id fields at run time", .timeLimit(.minutes(1)))
struct CustomIDTests {
  @Test("a refetch query uses node(global_id:) for an object and for its pages")
  func globalID() async throws {
    let server = try Backends.server([
      "Query.me": { _ in ["global_id": "7", "name": "Ann", "born": "2026-01-02T00:00:00Z"] },
      "Query.node": { call in
        [
          "__typename": "Person", "global_id": try .string(call.argument("global_id")),
          "name": "Bea",
        ]
      },
      "Person.friends": { call in
        let after: String? = try call.argument("after")
        let ids = after == nil ? ["2", "3"] : ["4"]
        return [
          "edges": .array(
            ids.map {
              [
                "cursor": .string("c" + $0),
                "node": ["global_id": .string($0), "name": .string("n" + $0)],
              ]
            }),
          "pageInfo": [
            "endCursor": .string("c" + (ids.last ?? "")), "hasNextPage": .bool(after == nil),
            "hasPreviousPage": false, "startCursor": nil,
          ],
        ]
      },
    ])
    let environment = RelayEnvironment(transport: server)
    let me = try #require(try await environment.fetch(MeQuery()).data?.me)
    let list = environment.paginate(me.fragments.friends_person)
    #expect(list.data?.friends?.nodes.map(\.name) == ["n2", "n3"] && list.hasNext)
    #expect(list.data?.born == Date(timeIntervalSince1970: 1_767_312_000))
    try await list.loadNext(1)
    #expect(list.data?.friends?.nodes.map(\.name) == ["n2", "n3", "n4"] && !list.hasNext)
    // The query's `me` is the same record.
    #expect(environment.read(MeQuery()).data?.me?.name == "Ann")
    let again = try await environment.refetch(me.fragments.named_node)
    #expect(environment.read(again).data?.asPerson?.name == "Bea")
    #expect(environment.read(MeQuery()).data?.me?.name == "Bea")
    #expect(environment.store.dump().contains(#""Person:7":{"#))
  }

  @Test("a refetch query uses the fetch field of a @fetchable interface")
  func fetchable() async throws {
    let weights = Weights()
    let server = try Backends.server([
      "Query.inbox": { _ in
        [
          ["__typename": "Box", "number": "1", "weight": 1.5],
          ["__typename": "Tube", "number": "2", "weight": 2.5, "length": 10],
        ]
      },
      "Query.fetch__Parcel": { call in
        let number: String = try call.argument("number")
        await weights.add(number)
        return ["__typename": "Tube", "number": .string(number), "weight": 3.5, "length": 11]
      },
    ])
    let environment = RelayEnvironment(transport: server)
    let inbox = try #require(try await environment.fetch(InboxQuery()).data?.inbox)
    let references = inbox.map(\.fragments.weight_parcel)
    #expect(references.map { environment.read($0).data?.weight } == [1.5, 2.5])
    #expect(environment.read(references[1]).data?.asTube?.length == 10)
    let again = try await environment.refetch(references[1])
    #expect(await weights.fetchedNumbers == ["2"])
    for reference in [again, references[1]] {
      let tube = environment.read(reference).data
      #expect(tube?.weight == 3.5 && tube?.asTube?.length == 11)
    }
    #expect(environment.read(references[0]).data?.weight == 1.5)
  }

  /// The numbers of the parcels that were fetched.
  private actor Weights {
    private(set) var fetchedNumbers: [String] = []
    func add(_ number: String) { fetchedNumbers.append(number) }
  }

  @Test("fields and variables with the name of the schema's enum get an underscore")
  func spelling() async throws {
    let server = try Backends.server([
      "Query.Backend": { call in .string("since \(try call.argument("Backend") as String)") },
      "Query.me": { _ in ["global_id": "7", "name": "Ann", "Backend": "mine"] },
      "Query.inbox": { _ in [["__typename": "Tube", "number": "2", "weight": 2.5, "length": 10]] },
    ])
    let environment = RelayEnvironment(transport: server)
    let since: Backend.Moment = Date(timeIntervalSince1970: 0)
    let data = try await environment.fetch(BackendOfQuery(Backend_: .some(since))).data
    #expect(data?.Backend_?.hasPrefix("since 1970-01-01") == true && data?.me?.Backend_ == "mine")
    #expect(data?.inbox.first?.asTube?.length == 10)
    let node = try #require(data?.me?.fragments.named_node)
    #expect(environment.read(node).data?.asPerson?.Backend_ == "mine")
  }
}

/// A factory of servers for this folder's schema.
enum Backends {
  static func server(_ resolvers: [String: FieldResolver]) throws -> SchemaServer {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "schema.graphql")
    return try SchemaServer(
      schema: String(contentsOf: url, encoding: .utf8), resolvers: resolvers)
  }
}
