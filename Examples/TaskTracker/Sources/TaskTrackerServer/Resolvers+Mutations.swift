import RelayStore
import RelayStoreTesting

extension Resolvers {
  /// The resolvers of the fields of `Mutation` and of the payloads.
  static func mutations(_ database: Database) -> [String: FieldResolver] {
    [
      "Mutation.addTask": { call in try await addTask(database, call) },
      "Mutation.updateTask": { call in try await updateTask(database, call) },
      "Mutation.deleteTask": { call in try await deleteTask(database, call) },
      "Mutation.addComment": { call in try await addComment(database, call) },
      "Mutation.attach": { call in
        let files: [JSONValue] = try call.argument("files")
        return .array(
          files.map { file in
            let bytes = (file["bytes"]?.array ?? []).compactMap(\.int)
            return [
              "name": file["fileName"] ?? nil, "contentType": file["contentType"] ?? nil,
              "size": .number(JSONNumber(bytes.count)),
              "sum": .number(JSONNumber(bytes.reduce(0, +))),
            ]
          })
      },
      "Mutation.openGate": { call in
        let name: String = try call.argument("name")
        guard !name.isEmpty else { throw GraphQLError(message: "A gate needs a name.") }
        let gate = await database.gate(name)
        defer { gate.open() }
        return .bool(!gate.isOpen)
      },
      "Payload.warning": { call in
        guard call.parent["failsInPart"]?.bool != true else {
          throw GraphQLError(message: "The server was told to fail in part.")
        }
        return nil
      },
    ]
  }

  /// The outcome of a mutation that does not fail.
  private enum Ending { case success, inPart, nullPayload }

  /// Waits and fails as the argument `behaviour` requests.
  ///
  /// - Returns: The outcome, if the mutation does not fail.
  /// - Throws: ``GraphQLError`` for the outcome `FAIL`.
  private static func applyBehaviour(_ database: Database, _ call: FieldCall) async throws -> Ending
  {
    if let gate: String = try argument(call, "gate") { try await database.gate(gate).wait() }
    if let delay: Int = try argument(call, "delayMilliseconds"), delay > 0 {
      try await Task.sleep(for: .milliseconds(delay))
    }
    switch try argument(call, "outcome") as String? {
    case "FAIL": throw GraphQLError(message: "The server was told to refuse this.")
    case "PARTIAL": return .inPart
    case "NULL_PAYLOAD": return .nullPayload
    default: return .success
    }
  }

  private static func argument<Value: ArgumentValue>(_ call: FieldCall, _ name: String) throws
    -> Value?
  {
    try call.argument("behaviour", name)
  }

  private static func payload(_ ending: Ending, _ fields: JSONObject) -> JSONValue {
    var fields = fields
    fields["failsInPart"] = .bool(ending == .inPart)
    return .object(fields)
  }

  private static func addTask(_ database: Database, _ call: FieldCall) async throws -> JSONValue? {
    let ending = try await applyBehaviour(database, call)
    let projectKey = try GlobalID.key(of: call.argument("input", "projectId"), type: "Project")
    guard let project = await database.node("Project", projectKey) else {
      throw GraphQLError(message: "There is no such project.")
    }
    let labels: [String] = try call.argument("input", "labels")
    for label in labels where await database.node("Label", label) == nil {
      throw GraphQLError(message: "There is no label \"\(label)\".")
    }
    guard ending != .nullPayload else { return nil }
    let key = await database.insert(
      "Task",
      [
        "title": try title(call.argument("input", "title")),
        "notes": try call.argument("input", "notes") as JSONValue? ?? nil, "status": "TODO",
        "priority": try call.argument("input", "priority"), "estimate": nil,
        "createdAt": await database.tick(),
        "dueAt": try time(try call.argument("input", "dueAt")), "labels": JSONValue(labels),
        "assignee": nil, "project": .string(projectKey),
      ])
    guard let task = await database.node("Task", key) else { return nil }
    let count = await database.tasks(where: "project", is: projectKey).count
    return payload(
      ending,
      ["task": task, "edge": Connection.edge(to: task, at: count - 1), "project": project])
  }

  private static func updateTask(_ database: Database, _ call: FieldCall) async throws -> JSONValue?
  {
    let ending = try await applyBehaviour(database, call)
    let key = try await existingTask(database, try call.argument("input", "id"))
    let changes = try await changes(database, call)
    guard ending != .nullPayload else { return nil }
    let old = await database.node("Task", key)?["status"]
    if let new = changes["status"], new != old {
      await database.log([
        "task": .string(key), "from": old ?? nil, "to": new,
        "by": await database.viewer?["key"] ?? nil, "at": await database.tick(),
      ])
    }
    await database.update("Task", key, changes)
    await database.sendChange(ofTask: key)
    return payload(ending, ["task": await database.node("Task", key) ?? nil])
  }

  private static func deleteTask(_ database: Database, _ call: FieldCall) async throws -> JSONValue?
  {
    let ending = try await applyBehaviour(database, call)
    let id: String = try call.argument("id")
    let key = try await existingTask(database, id)
    guard ending != .nullPayload else { return nil }
    let project = await database.node("Task", key)?["project"]?.string ?? ""
    await database.delete("Task", key)
    return payload(
      ending,
      ["deletedId": .string(id), "project": await database.node("Project", project) ?? nil])
  }

  private static func addComment(_ database: Database, _ call: FieldCall) async throws -> JSONValue?
  {
    let ending = try await applyBehaviour(database, call)
    let task = try await existingTask(database, try call.argument("input", "taskId"))
    guard ending != .nullPayload else { return nil }
    let comment = await database.insert(
      "Comment",
      [
        "task": .string(task), "author": await database.viewer?["key"] ?? nil,
        "body": try call.argument("input", "body"), "at": await database.tick(),
      ])
    await database.log(["task": .string(task), "comment": .string(comment)])
    return payload(
      ending,
      [
        "comment": await database.node("Comment", comment) ?? nil,
        "task": await database.node("Task", task) ?? nil,
      ])
  }

  private static func existingTask(_ database: Database, _ id: String) async throws -> String {
    let key = try GlobalID.key(of: id, type: "Task")
    guard await database.node("Task", key) != nil else {
      throw GraphQLError(message: "There is no such task.")
    }
    return key
  }
}

// MARK: - Input

extension Resolvers {
  /// Returns the changes of an `UpdateTaskInput` in the form of rows.
  private static func changes(_ database: Database, _ call: FieldCall) async throws -> JSONObject {
    var changes = JSONObject()
    if let text: String = try call.argument("input", "title") { changes["title"] = try title(text) }
    for field in ["status", "priority"] {
      if let value: String = try call.argument("input", field) { changes[field] = .string(value) }
    }
    for field in ["notes", "estimate"] where call.hasArgument("input", field) {
      changes[field] = try call.argument("input", field) as JSONValue
    }
    if call.hasArgument("input", "dueAt") {
      changes["dueAt"] = try time(try call.argument("input", "dueAt"))
    }
    if call.hasArgument("input", "assigneeId") {
      changes["assignee"] = try await assignee(database, try call.argument("input", "assigneeId"))
    }
    return changes
  }

  private static func title(_ text: String) throws -> JSONValue {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw GraphQLError(message: "A task needs a title.")
    }
    return .string(text)
  }

  /// Returns a time in the canonical form of rows; null for `nil`.
  private static func time(_ text: String?) throws -> JSONValue {
    guard let text else { return .null }
    return .string(Database.text(of: try Tasks.date(text)))
  }

  private static func assignee(_ database: Database, _ id: String?) async throws -> JSONValue {
    guard let id else { return .null }
    let global = try GlobalID(id)
    guard ["User", "Team"].contains(global.type),
      await database.node(global.type, global.key) != nil
    else { throw GraphQLError(message: "There is no such assignee.") }
    return .string("\(global.type):\(global.key)")
  }
}
