import Foundation
import RelayStore
import RelayStoreTesting

extension Resolvers {
  /// The resolvers of the fields of `Query`.
  static func queries(_ database: Database) -> [String: FieldResolver] {
    [
      "Query.viewer": { _ in await database.viewer },
      "Query.node": { call in
        let id = try GlobalID(try call.argument("id"))
        return await database.node(id.type, id.key)
      },
      "Query.nodes": { call in
        var nodes: [JSONValue] = []
        for text in try call.argument("ids") as [String] {
          let id = try GlobalID(text)
          nodes.append(await database.node(id.type, id.key) ?? .null)
        }
        return .array(nodes)
      },
      "Query.project": { call in
        await database.node("Project", try GlobalID.key(of: call.argument("id"), type: "Project"))
      },
      "Query.projects": { _ in .array(await database.nodes("Project")) },
      "Query.task": { call in
        await database.node("Task", try GlobalID.key(of: call.argument("id"), type: "Task"))
      },
      "Query.tasks": { call in
        try Connection.page(
          of: Tasks.chosen(from: await database.nodes("Task"), by: call), for: call)
      },
      "Query.search": { call in try await search(database, call) },
      "Query.dueBefore": { call in
        let limit = try Tasks.date(try call.argument("time"))
        return .array(
          try await database.nodes("Task").filter { task in
            guard let due = task["dueAt"]?.string else { return false }
            return try Tasks.date(due) < limit
          })
      },
      "Query.faults": { _ in Faults.object },
    ]
  }

  private static func search(_ database: Database, _ call: FieldCall) async throws -> JSONValue {
    let text: String = try call.argument("text")
    var found: [JSONValue] = []
    for (type, field) in [("Task", "title"), ("Project", "name"), ("User", "name")] {
      found += await database.nodes(type).filter { node in
        node[field]?.string?.lowercased().contains(text.lowercased()) == true
      }
    }
    return .array(found)
  }
}

/// The filter and the order that all lists of tasks share.
enum Tasks {
  private static let ranks = ["HIGH": 0, "MEDIUM": 1, "LOW": 2]

  /// Returns the tasks that satisfy the argument `filter`, in the order of `orderBy`.
  static func chosen(from tasks: [JSONValue], by call: FieldCall) throws -> [JSONValue] {
    let filter: JSONValue? = try call.argument("filter")
    let statuses = filter?["status"]?.array
    let text = filter?["text"]?.string?.lowercased()
    let found = tasks.filter { task in
      if let statuses, !statuses.contains(where: { $0 == task["status"] }) { return false }
      if let priority = filter?["priority"]?.string, priority != task["priority"]?.string {
        return false
      }
      if let text, task["title"]?.string?.lowercased().contains(text) != true, !text.isEmpty {
        return false
      }
      return filter?["onlyUnassigned"]?.bool != true || task["assignee"]?.string == nil
    }
    return ordered(found, by: try call.argument("orderBy"))
  }

  private static func ordered(_ tasks: [JSONValue], by order: String) -> [JSONValue] {
    func stable(_ isBefore: (JSONValue, JSONValue) -> Bool?) -> [JSONValue] {
      tasks.enumerated().sorted { isBefore($0.element, $1.element) ?? ($0.offset < $1.offset) }
        .map(\.element)
    }
    switch order {
    case "TITLE":
      return stable { left, right in
        let (a, b) = (left["title"]?.string ?? "", right["title"]?.string ?? "")
        return a == b ? nil : a < b
      }
    case "PRIORITY":
      return stable { left, right in
        let (a, b) = (rank(left), rank(right))
        return a == b ? nil : a < b
      }
    default: return tasks
    }
  }

  private static func rank(_ task: JSONValue) -> Int {
    task["priority"]?.string.flatMap { ranks[$0] } ?? ranks.count
  }

  /// Parses a value of the scalar `DateTime`.
  ///
  /// - Throws: ``GraphQLError`` if `text` is not an ISO 8601 date.
  static func date(_ text: String) throws -> Date {
    guard let date = try? Date(text, strategy: .iso8601) else {
      throw GraphQLError(message: "Value cannot represent a DateTime: \"\(text)\".")
    }
    return date
  }
}
