import RelayStore
import RelayStoreTesting

extension Resolvers {
  /// The resolvers of node fields that are not plain values of their rows.
  static func nodes(_ database: Database) -> [String: FieldResolver] {
    [
      "User.assigned": { call in
        try Connection.page(
          of: await database.tasks(where: "assignee", is: "User:" + key(call)), for: call)
      },
      "Team.members": { call in
        var members: [JSONValue] = []
        for key in call.parent["members"]?.array ?? [] {
          members.append(await database.node("User", key.string ?? "") ?? .null)
        }
        return .array(members)
      },
      "Comment.author": { call in await database.node("User", text(call, "author")) },
      "StatusChange.by": { call in await database.node("User", text(call, "by")) },
      "Task.isComplete": { call in .bool(text(call, "status") == "DONE") },
      "Task.labels": { call in
        var labels: [JSONValue] = []
        for key in call.parent["labels"]?.array ?? [] {
          guard var label = await database.node("Label", key.string ?? "")?.object else { continue }
          label["id"] = nil
          labels.append(.object(label))
        }
        return .array(labels)
      },
      "Task.assignee": { call in await database.node(text(call, "assignee")) },
      "Task.project": { call in await database.node("Project", text(call, "project")) },
      "Task.activity": { call in .array(await database.activity(of: key(call))) },
      "Project.owner": { call in await database.node(text(call, "owner")) },
      "Project.tasks": { call in
        let tasks = await database.tasks(where: "project", is: key(call))
        return try Connection.page(of: Tasks.chosen(from: tasks, by: call), for: call)
      },
      "Project.taskCount": { call in
        let status: String? = try call.argument("status")
        let tasks = await database.tasks(where: "project", is: key(call))
        return JSONValue(tasks.count { status == nil || $0["status"]?.string == status })
      },
    ]
  }

  private static func key(_ call: FieldCall) -> String { text(call, "key") }

  private static func text(_ call: FieldCall, _ field: String) -> String {
    call.parent[field]?.string ?? ""
  }
}
