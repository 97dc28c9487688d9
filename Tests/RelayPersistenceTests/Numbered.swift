import Foundation
@_spi(GeneratedCode) import RelayStore

/// Commits whose values identify their revision.
extension RelayEnvironment {
  /// Gives two records in different pages the same number, and a text whose length follows from it.
  /// Gives the number to a third record, one of many.
  func commit(number: Int) throws {
    try commitUpdate { store in
      for id in ["left", "right"] as [DataID] {
        let record = try store[id] ?? store.create(id, type: "Item")
        try record.setValue(.number(JSONNumber(number)), for: "number")
        try record.setValue(.string(Self.text(of: number)), for: "text")
        // Ensures that the two records are in different pages.
        for index in 0..<64 {
          let id = DataID("\(id.rawValue)-\(index)")
          if try store[id] == nil { _ = try store.create(id, type: "Item") }
        }
      }
      let other = DataID("item-\(number % 200)")
      let item = try store[other] ?? store.create(other, type: "Item")
      try item.setValue(.number(JSONNumber(number)), for: "number")
    }
  }

  private static func text(of number: Int) -> String {
    String(repeating: "x", count: number % 3000)
  }

  /// The number of the last commit in the store; `nil` for none.
  ///
  /// - Throws: ``TornRevision`` if the records are from different revisions.
  func committedNumber() throws -> Int? {
    let (left, right) = (item("left"), item("right"))
    if left != right { throw TornRevision(description: "left \(left), right \(right)") }
    guard let number = left.number else { return nil }
    let other = item(DataID("item-\(number % 200)")).number
    if other != number || left.text != Self.text(of: number) {
      throw TornRevision(description: "number \(number), item \(other ?? -1), \(left)")
    }
    return number
  }

  struct TornRevision: Error, CustomStringConvertible {
    var description: String
  }

  private struct Item: Equatable { var number: Int?, text: String? }

  private func item(_ id: DataID) -> Item {
    let plan = SelectionPlan("Item{number Int text String}")
    let json = store.read(.record(id, plan, in: .empty)).row?.json
    guard case .number(let number)? = json?["number"] else { return Item() }
    return Item(number: number.int, text: json?["text"]?.string)
  }

  /// The count in the last merged response to an increment of a counter; 0 for none.
  func count(of counter: String) -> Int {
    let plan = SelectionPlan("Counter{count Int}")
    let json = store.read(.record(DataID(counter), plan, in: .empty)).row?.json
    guard case .number(let count)? = json?["count"] else { return 0 }
    return count.int ?? 0
  }
}

/// A mutation that sets a counter's count. Its optimistic response has the counter's id, so that
/// entries of one counter are sent in order even when the store does not know the counter.
struct IncrementMutation: OptimisticMutation {
  static let __operation = OperationPlan(
    text:
      "mutation Increment($id: ID!, $count: Int!) { increment(id: $id, count: $count) { id count } }",
    reader: "Increment Mutation{increment(id:$id,count:$count) Counter{id ID! count Int}}",
    normalization:
      "Mutation{increment(id:$id,count:$count) Counter{__typename String! id ID! count Int}}")
  let id: String
  let count: Int
  var file: Upload?

  var __variables: Variables {
    if let file { return ["id": id, "count": count, "file": file] }
    return Variables(json: ["id": .string(id), "count": .number(JSONNumber(count))])
  }

  struct Data: GraphQLView {
    static let __plan = IncrementMutation.__operation.reader
    let __row: Row
  }
  struct RawResponse: GraphQLView {
    static let __plan = SelectionPlan(
      "Increment Mutation{increment(id:$id,count:$count) Counter{__typename String! id ID! count Int}}"
    )
    let __row: Row
    init(__row: Row) { self.__row = __row }
    init(increment: Counter?) { self.init(Self.__plan, increment) }

    struct Counter: GraphQLView {
      static var __plan: SelectionPlan { RawResponse.__plan[0] }
      let __row: Row
      init(__row: Row) { self.__row = __row }
      init(id: String, count: Int) { self.init(Self.__plan, "Counter", id, count) }
    }
  }

  var optimisticResponse: RawResponse { RawResponse(increment: .init(id: id, count: count)) }
}

extension OptimisticMutation where Self == IncrementMutation {
  static func increment(_ counter: String, to count: Int, _ file: Upload? = nil) -> Self {
    IncrementMutation(id: counter, count: count, file: file)
  }
}

extension GraphQLRequest {
  /// The key that the outbox sent.
  var key: String { headers["Idempotency-Key"] ?? "" }

  /// The response to an increment.
  var incremented: GraphQLResponse {
    let counter: JSONValue = [
      "__typename": "Counter", "id": variables["id"] ?? .null, "count": variables["count"] ?? .null,
    ]
    return GraphQLResponse(
      body: JSONValue.object(["data": ["increment": counter]]).jsonBytes)
  }
}
