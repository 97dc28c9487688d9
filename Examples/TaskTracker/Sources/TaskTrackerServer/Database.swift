import Foundation
import RelayStore
import RelayStoreTesting

/// The data of the server: tables of rows by key, as in `seed.json`, the activity, and a clock that
/// advances by one minute with every change.
actor Database {
  private var tables: JSONObject
  private var minutes = 0
  private var gates: [String: Gate] = [:]
  /// The changed tasks by key; the key `nil` stands for all tasks.
  private var changes: [String?: SubscriptionSource] = [:]

  init(seed: JSONValue) { tables = seed.object ?? [:] }

  /// Returns the object of a row, with its `__typename` and `id`; `nil` if the row does not exist.
  func node(_ type: String, _ key: String) -> JSONValue? {
    guard var row = tables[type]?[key]?.object else { return nil }
    row["__typename"] = .string(type)
    row["key"] = .string(key)
    row["id"] = .string(GlobalID(type, key).text)
    return .object(row)
  }

  /// Returns the object that a reference such as `User:1` identifies.
  func node(_ reference: String) -> JSONValue? {
    let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
    return parts.count == 2 ? node(parts[0], parts[1]) : nil
  }

  /// Returns all objects of a type, in ascending order of their keys.
  func nodes(_ type: String) -> [JSONValue] {
    let keys = tables[type]?.object?.keys ?? []
    return keys.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }.compactMap { node(type, $0) }
  }

  /// Returns the tasks whose `field` has the given value.
  func tasks(where field: String, is value: String) -> [JSONValue] {
    nodes("Task").filter { $0[field]?.string == value }
  }

  /// The object of the signed-in user.
  var viewer: JSONValue? { tables["viewer"]?.string.flatMap { node("User", $0) } }

  /// Returns the activity of a task, oldest entry first.
  func activity(of task: String) -> [JSONValue] {
    let entries = tables["Activity"]?.array ?? []
    return entries.filter { $0["task"]?.string == task }.compactMap { entry in
      if let comment = entry["comment"]?.string { return node("Comment", comment) }
      guard var change = entry.object else { return nil }
      change["__typename"] = "StatusChange"
      return .object(change)
    }
  }

  /// Returns the gate `name`, creating it on first use.
  func gate(_ name: String) -> Gate {
    if let gate = gates[name] { return gate }
    let gate = Gate()
    gates[name] = gate
    return gate
  }

  /// Returns the changes of a task, or of all tasks.
  func changes(ofTask key: String?) -> SubscriptionSource {
    if let source = changes[key] { return source }
    let source = SubscriptionSource()
    changes[key] = source
    return source
  }

  /// Sends a task to the subscriptions for it.
  func sendChange(ofTask key: String) {
    guard let task = node("Task", key) else { return }
    for source in [changes[key], changes[nil]] { source?.send(task) }
  }

  // MARK: Changes

  /// Inserts a row under the next key.
  ///
  /// - Returns: The key.
  func insert(_ type: String, _ row: JSONObject) -> String {
    var table = tables[type]?.object ?? [:]
    let key = String((table.keys.compactMap { Int($0) }.max() ?? 0) + 1)
    table[key] = .object(row)
    tables[type] = .object(table)
    return key
  }

  /// Replaces fields of a row.
  func update(_ type: String, _ key: String, _ changes: JSONObject) {
    var table = tables[type]?.object ?? [:]
    guard var row = table[key]?.object else { return }
    for change in changes.members { row[change.key] = change.value }
    table[key] = .object(row)
    tables[type] = .object(table)
  }

  /// Deletes a row.
  func delete(_ type: String, _ key: String) {
    var table = tables[type]?.object ?? [:]
    table[key] = nil
    tables[type] = .object(table)
  }

  /// Appends an entry to the activity.
  func log(_ entry: JSONObject) {
    tables["Activity"] = .array((tables["Activity"]?.array ?? []) + [.object(entry)])
  }

  /// Advances the clock by a minute, and returns its time.
  func tick() -> JSONValue {
    minutes += 1
    let start = tables["clock"]?.string ?? ""
    guard let date = try? Date(start, strategy: .iso8601) else { return .string(start) }
    return .string(Self.text(of: date.addingTimeInterval(Double(minutes) * 60)))
  }

  /// Returns a date in the format of the Python server.
  static func text(of date: Date) -> String {
    date.formatted(.iso8601).replacingOccurrences(of: "Z", with: "+00:00")
  }
}
