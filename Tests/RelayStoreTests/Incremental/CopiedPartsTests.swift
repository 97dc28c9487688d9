import Testing

@testable import RelayStore

/// Parts of a fragment that an operation includes with several sets of arguments: each copy is sent
/// with its own label, and an app sees one part.
@Suite("Parts of copied fragments", .timeLimit(.minutes(1)))
struct CopiedPartsTests {
  private static let part = PendingPart(owner: "Some_user", label: "Slow_user")
  private static let fragments = """
    fragment Some_user on User @argumentDefinitions(on: {type: "Boolean!", defaultValue: true}) {
      login @include(if: $on) ...Slow_user @defer
    }
    fragment Slow_user on User { name }
    """
  private static let slow = "fragment Slow_user on User { name }"

  /// The formats of the payloads that deliver parts.
  enum Format: String, CaseIterable, CustomTestStringConvertible {
    case list2022, announced2023

    var testDescription: String { rawValue }

    /// The first payload. It announces parts with these labels at these paths.
    func first(_ data: JSONValue, _ labels: [JSONValue], at paths: [JSONValue]) -> JSONValue {
      if self == .list2022 { return ["data": data, "hasNext": true] }
      let pending = zip(labels, paths).enumerated().map { index, part -> JSONValue in
        ["id": .string("\(index)"), "path": part.1, "label": part.0]
      }
      return ["data": data, "pending": .array(pending), "hasNext": true]
    }

    /// The payload that delivers the part with an index.
    func payload(
      _ index: Int, _ label: JSONValue, at path: JSONValue, data: JSONValue
    ) -> JSONValue {
      let id = JSONValue.string("\(index)")
      let hasNext = JSONValue.bool(index == 0)
      if self == .list2022 {
        return [
          "incremental": [["path": path, "label": label, "data": data]], "hasNext": hasNext,
        ]
      }
      return [
        "incremental": [["id": id, "data": data]], "completed": [["id": id]], "hasNext": hasNext,
      ]
    }
  }

  private func labels(_ test: PartsFixture) -> [JSONValue] {
    test.selection.text.matches(of: /@defer\(label:"([^"]*)"/).map { .string(String($0.output.1)) }
  }

  @Test("each copy's part belongs to its own object", arguments: Format.allCases)
  func differentObjects(format: Format) async throws {
    let test = PartsFixture(
      "query TestQuery { me { id ...Some_user best { id ...Some_user @arguments(on: false) } } } "
        + Self.fragments)
    let labels = labels(test)
    #expect(labels.count == 2 && labels[0] != labels[1])
    let paths: [JSONValue] = [["me"], ["me", "best"]]
    let data: JSONValue = ["me": ["id": "1", "login": "a", "best": ["id": "2"]]]
    let task = test.fetch()
    await test.transport.send(format.first(data, labels, at: paths))
    #expect(test.read(Self.slow, of: "1").pending == [Self.part])
    #expect(test.read(Self.slow, of: "2").pending == [Self.part])
    await test.transport.send(format.payload(0, labels[0], at: paths[0], data: ["name": "Ann"]))
    #expect(test.read(Self.slow, of: "1").pending == [])
    #expect(test.read(Self.slow, of: "1").row?.json["name"] == "Ann")
    #expect(test.read(Self.slow, of: "2").pending == [Self.part])
    await test.transport.send(format.payload(1, labels[1], at: paths[1], data: ["name": "Bob"]))
    #expect(test.read(Self.slow, of: "2").pending == [])
    #expect(test.read(Self.slow, of: "2").row?.json["name"] == "Bob")
    test.transport.finish()
    _ = try await task.value
  }

  @Test("the parts of two copies on one record are one part until both have arrived")
  func oneRecord() async throws {
    let test = PartsFixture(
      """
      query TestQuery { me { id ...Some_user } user(id: "1") { id ...Some_user @arguments(on: false) } }
      """ + Self.fragments)
    let labels = labels(test)
    let paths: [JSONValue] = [["me"], ["user"]]
    let data: JSONValue = ["me": ["id": "1", "login": "a"], "user": ["id": "1"]]
    let format = Format.announced2023
    let query = test.store.subscribe(
      .record(
        "1", TestSelection(Self.fragments).reader, in: test.request.scope))
    _ = await query.next(isolation: nil)
    let task = test.fetch()
    await test.transport.send(format.first(data, labels, at: paths))
    #expect(await query.next(isolation: nil)?.pending == [Self.part])
    await test.transport.send(format.payload(0, labels[0], at: paths[0], data: ["name": "Ann"]))
    #expect(test.read(Self.slow, of: "1").pending == [Self.part])
    await test.transport.send(format.payload(1, labels[1], at: paths[1], data: ["name": "Ann"]))
    #expect(test.read(Self.slow, of: "1").pending == [])
    #expect(await query.next(isolation: nil)?.pending == [])
    test.transport.finish()
    _ = try await task.value
  }
}
