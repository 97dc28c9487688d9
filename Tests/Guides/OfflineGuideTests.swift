import Foundation
import RelayPersistence
import RelayStore
import RelayStoreTesting
import Testing

/// The server of the guide's program, and the way to it.
private actor FieldServer: Transport {
  enum Network { case up, down, signedOut }

  private var network = Network.down
  private(set) var executed: [String] = []
  private(set) var queried: [String?] = []
  private var objects: [(id: String, fields: JSONObject)] = []
  private var responses: [String: GraphQLResponse] = [:]
  private var server: SchemaServer?

  func turn(_ network: Network) { self.network = network }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    switch network {
    case .down: throw URLError(.notConnectedToInternet)
    case .signedOut:
      var response = GraphQLResponse(json: ["errors": [["message": "Please sign in."]]])
      response.status = 401
      return response
    case .up: break
    }
    let key = request.headers["Idempotency-Key"]
    if let key, let response = responses[key] { return response }
    let server = try server ?? makeServer()
    self.server = server
    let response = try await server.execute(request)
    if let key { responses[key] = response }
    return response
  }

  private func makeServer() throws -> SchemaServer {
    try SchemaServer(
      schema: guideSchema(),
      resolvers: [
        "Query.node": { [self] in try await node($0.argument("id")) },
        "Query.observations": { [self] _ in await observations() },
        "Mutation.createObservation": { [self] in try await create($0.argument("text")) },
        "Mutation.editObservation": { [self] in
          try await set("text", of: $0.argument("id"), to: $0.argument("text"))
        },
        "Mutation.starObservation": { [self] in
          try await set("isStarred", of: $0.argument("id"), to: $0.argument("isStarred"))
        },
        "Mutation.setPhoto": { [self] call in
          let file: JSONValue = try call.argument("file")
          return try await set("photo", of: call.argument("id"), to: file["fileName"] ?? nil)
        },
        "Mutation.deleteObservation": { [self] in try await delete($0.argument("id")) },
      ])
  }

  private func node(_ id: String) -> JSONValue {
    queried.append(id)
    return objects.first { $0.id == id }.map { .object($0.fields) } ?? nil
  }

  private func observations() -> JSONValue {
    [
      "edges": .array(objects.map { ["cursor": .string($0.id), "node": .object($0.fields)] }),
      "pageInfo": ["hasNextPage": false, "hasPreviousPage": false],
    ]
  }

  private func create(_ text: String) -> JSONValue {
    executed.append("create \(text)")
    let id = "s\(executed.count)"
    let fields: JSONObject = [
      "__typename": "Observation", "id": .string(id), "text": .string(text), "isStarred": false,
      "photo": nil,
    ]
    objects.insert((id, fields), at: 0)
    return ["edge": ["cursor": .string(id), "node": .object(fields)]]
  }

  private func set(_ field: String, of id: String, to value: JSONValue) throws -> JSONValue {
    executed.append("\(field) \(id) \(value.string ?? "\(value)")")
    if value == "forbidden" {
      throw GraphQLError(message: "Not yours.", extensions: ["code": "FORBIDDEN"])
    }
    guard let index = objects.firstIndex(where: { $0.id == id }) else {
      throw GraphQLError(message: "There is no \(id).")
    }
    objects[index].fields[field] = value
    return ["observation": .object(objects[index].fields)]
  }

  private func delete(_ id: String) -> JSONValue {
    executed.append("delete \(id)")
    objects.removeAll { $0.id == id }
    return ["deletedID": .string(id)]
  }
}

@Suite("The program of the guide to offline apps", .timeLimit(.minutes(1)))
@MainActor
struct OfflineGuideTests {
  private let server = FieldServer()
  private let directory = FileManager.default.temporaryDirectory
    .appending(path: "relay-guide-\(UUID().uuidString)")

  private func start() async throws -> FieldApp {
    let app = FieldApp(user: "ada", directory: directory, transport: server)
    await app.environment.store.loaded()
    try await app.environment.outbox?.loaded()
    return app
  }

  /// The rows of the list. A deleted object leaves an edge without a node.
  private func rows(_ app: FieldApp) -> [String]? {
    app.list.data?.observations?.edges?.compactMap { edge in
      let row = edge?.node.flatMap { app.environment.read($0.fragments.observationRow_observation) }
      return row?.data.map { "\($0.text) \($0.isStarred) \($0.photo ?? "-")" }
    }
  }

  private func text(_ detail: QueryModel<ObservationQuery>, in app: FieldApp) -> String? {
    detail.data?.node?.asObservation.flatMap {
      app.environment.read($0.fragments.observationRow_observation).data?.text
    }
  }

  /// Ends the process's environment, as the system does: nothing is saved any more.
  private func restarted(_ app: consuming FieldApp) async throws -> FieldApp {
    app.environment.outbox?.suspend()
    try await app.environment.store.suspend()
    _ = consume app
    return try await start()
  }

  @Test("a day in the field, from the first object made offline to the sign-out")
  func day() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    await server.turn(.up)
    var app = try await start()
    // The first read starts the request.
    _ = rows(app)
    try await app.environment.settle()
    #expect(rows(app) == [])
    await server.turn(.down)

    // Offline.
    let id = try await app.create("Oak")
    try await app.edit(id, "Olk oak")
    try await app.edit(id, "Old oak")
    for count in 1...5 { try await app.star(id, count % 2 == 1) }
    let photo = directory.appending(path: "oak.jpeg")
    try Data([1, 2, 3]).write(to: photo)
    try await app.attach(photo, to: id)
    #expect(!FileManager.default.fileExists(atPath: photo.path))
    #expect(rows(app) == ["Old oak true oak.jpeg"])
    let lines = ["New observation: Oak", "New text: Old oak", "A star", "A photo"]
    #expect(app.waitingLines == lines.map { "\($0): waiting" })
    #expect(app.search("OAK") == ["Old oak"] && app.search("elm") == [])

    // The process ends, and starts again without a network.
    app = try await restarted(app)
    #expect(rows(app) == ["Old oak true oak.jpeg"])
    #expect(app.waitingLines == lines.map { "\($0): waiting" })
    let detail = app.detail(of: id)
    try await eventually("Old oak") { text(detail, in: app) }

    // The network is back.
    await server.turn(.up)
    app.resume()
    try await app.environment.settle()
    #expect(app.waitingLines == [])
    #expect(
      await server.executed == [
        "create Oak", "text s1 Old oak", "isStarred s1 true", "photo s1 oak.jpeg",
      ])
    #expect(rows(app) == ["Old oak true oak.jpeg"] && text(detail, in: app) == "Old oak")
    _ = try await app.environment.fetch(ObservationQuery(id: id))
    #expect(await server.queried == ["s1"])

    // The server refuses a change.
    await server.turn(.down)
    try await app.edit(id, "forbidden")
    #expect(text(detail, in: app) == "forbidden")
    await server.turn(.up)
    app.resume()
    try await app.environment.settle()
    #expect(app.waitingLines == ["New text: forbidden: FORBIDDEN"])
    #expect(text(detail, in: app) == "Old oak")
    try await app.discardRefused()
    #expect(app.waitingLines == [])

    // The session ends, and the user signs in again.
    await server.turn(.signedOut)
    try await app.edit(id, "Very old oak")
    try await eventually(["New text: Very old oak: sign in"]) { app.waitingLines }
    await server.turn(.up)
    app.resume()
    try await app.environment.settle()
    #expect(rows(app) == ["Very old oak true oak.jpeg"])

    // Deleted, and signed out.
    try await app.delete(id)
    #expect(rows(app) == [] && app.search("oak") == [])
    try await app.environment.settle()
    #expect(await server.executed.last == "delete s1" && text(detail, in: app) == nil)
    try await app.signOut()
    #expect(app.environment.read(ObservationsQuery()).missing == [["observations"]])
    #expect(app.waitingLines == [])
  }
  @Test("an object is in the list at a first start without a network")
  func firstStart() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    var app = try await start()
    try await app.prepare()
    _ = try await app.create("Oak")
    try await eventually(["Oak false -"]) { rows(app) }

    app = try await restarted(app)
    try await app.prepare()
    try await eventually(["Oak false -"]) { rows(app) }

    await server.turn(.up)
    app.resume()
    try await app.environment.settle()
    try await app.list.refetch()
    #expect(await server.executed == ["create Oak"])
    #expect(rows(app) == ["Oak false -"])
  }
}
