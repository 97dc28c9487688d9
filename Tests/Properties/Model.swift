import RelayStore

/// A naive store that specifies the behaviour of the real one: nested dictionaries that every read
/// evaluates again, without indexes or sharing.
struct Model {
  /// A record: the fields of an object that responses and updaters have written.
  struct Record: Equatable {
    var typeName: String
    var fields: [String: Value] = [:]
    /// The errors of fields that became null, as the rest of each path.
    var errors: [String: [String]] = [:]
  }

  enum Value: Equatable {
    case scalar(JSONValue)
    case link(String)
    case links([String?])
  }

  /// The fields with arguments that an updater wrote to the base and no response has written since.
  private(set) var clientWrittenFields: Set<ModelField> = []

  /// Records by id; `.some(nil)` stands for a deleted record.
  typealias Records = [String: Record?]

  /// An optimistic update.
  struct Layer {
    let number: Int
    var payload: Payload?
    var steps: [UpdateStep]
  }

  struct Payload: Equatable {
    /// The index of the operation in ``TestSelections/operations``.
    let operation: Int
    let data: JSONValue
    /// The errors: the path of the field, by response keys and list indices, followed by the rest.
    var errors: [[String]] = []
  }

  private(set) var base: Records = ["client:root": Record(typeName: "__Root")]
  private(set) var layers: [Layer] = []
  var freshness = ModelFreshness()
  /// The number of times that one response had two values for one field of a record.
  private(set) var conflicts = 0

  /// The base with the layers applied in order, recomputed after each change of either.
  private(set) var visible: Records = ["client:root": Record(typeName: "__Root")]

  private static func apply(_ layer: Layer, to records: Records) -> Records {
    var records = records
    var conflicts = 0
    if let payload = layer.payload { write(payload, to: &records, conflicts: &conflicts) }
    // An updater that throws has no effect.
    return (try? run(layer.steps, on: records)) ?? records
  }

  // MARK: Changes

  mutating func commit(_ payload: Payload?, _ steps: [UpdateStep]) -> Bool {
    defer { runLayers() }
    var written: Set<String> = []
    if let payload { written = Self.write(payload, to: &base, conflicts: &conflicts) }
    if let payload {
      let fields = Self.fields(of: payload)
      clientWrittenFields.subtract(fields)
    }
    let changed = try? Self.run(steps, on: base)
    let before = base
    base = changed ?? base
    if changed != nil { markClientWritten(steps, before: before) }
    freshness.publish(
      written: written, steps: changed == nil ? [] : steps, before: before, base: base)
    return changed != nil
  }

  private mutating func runLayers() {
    visible = layers.reduce(base) { Self.apply($1, to: $0) }
  }

  /// Returns whether the layer was applied; a layer whose updater throws is not.
  mutating func apply(_ layer: Layer) -> Bool {
    var records = visible
    if let payload = layer.payload {
      Self.write(payload, to: &records, conflicts: &conflicts)
    }
    guard let shown = try? Self.run(layer.steps, on: records) else { return false }
    layers.append(layer)
    visible = shown
    return true
  }

  mutating func revert(_ number: Int) {
    guard let position = layers.firstIndex(where: { $0.number == number }) else { return }
    layers.remove(at: position)
    runLayers()
  }

  /// Removes the records that the real store has collected. The layers are not applied again.
  mutating func retain(only ids: Set<String>) {
    let before = base
    visible = visible.filter { id, record in ids.contains(id) || before[id] != record }
    base = base.filter { ids.contains($0.key) }
    freshness.retain(only: ids)
  }

  /// Removes the fields that the real store's collector dropped.
  mutating func drop(_ fields: Set<ModelField>) {
    for field in fields {
      base[field.id]??.remove(field.key)
      visible[field.id]??.remove(field.key)
    }
  }

  /// Returns the fields that a response writes.
  private static func fields(of payload: Payload) -> [ModelField] {
    var (records, conflicts): (Records, Int) = ([:], 0)
    write(payload, to: &records, conflicts: &conflicts)
    return records.flatMap { id, record in
      (record?.fields.keys ?? [:].keys).map { ModelField(id: id, key: $0) }
    }
  }

  private mutating func markClientWritten(_ steps: [UpdateStep], before: Records) {
    for (position, step) in steps.enumerated() {
      let records = (try? Self.run(Array(steps[..<position]), on: before)) ?? before
      for field in step.argumentFields(in: records) where base[field.id]??.fields[field.key] != nil
      {
        clientWrittenFields.insert(field)
      }
    }
  }

  // MARK: Normalization

  /// Writes a response, and returns the ids of the records written.
  @discardableResult
  static func write(_ payload: Payload, to records: inout Records, conflicts: inout Int)
    -> Set<String>
  {
    let selection = TestSelections.operations[payload.operation].selection
    var writer = ModelWriter(errors: payload.errors)
    defer { conflicts += writer.conflicts }
    var written: Set<String> = []
    writer.write(
      payload.data, selection, id: "client:root", path: [], to: &records, written: &written)
    return written
  }

  // MARK: Updates

  struct UpdateFailure: Error {}

  static func run(_ steps: [UpdateStep], on records: Records) throws -> Records {
    var records = records
    var deleted: Set<String> = []
    func isPresent(_ id: String) -> Bool { (records[id] ?? nil) != nil }
    for step in steps {
      switch step {
      case .set(let id, let field, let value):
        if isPresent(id) { records[id]??.set(field, .scalar(value)) }
      case .link(let id, let field, let target):
        guard isPresent(id) else { continue }
        let target = target.flatMap { isPresent($0) ? $0 : nil }
        records[id]??.set(field, target.map(Value.link) ?? .scalar(.null))
      case .setNick(let id, let value):
        if isPresent(id) { records[id]??.set("nick(n:1)", .scalar(value)) }
      case .linkItem(let id, let target):
        guard isPresent(id), isPresent(target) else { continue }
        records[id]??.set("item(first:1)", .link(target))
      case .linkAll(let id, let field, let targets):
        guard isPresent(id) else { continue }
        let links = targets.map { isPresent($0) ? $0 : nil }
        records[id]??.set(field, .links(links))
      case .create(let id, let type):
        if isPresent(id) || deleted.contains(id) { throw UpdateFailure() }
        records[id] = Record(typeName: type)
      case .delete(let id):
        deleted.insert(id)
        records[id] = .some(nil)
      case .remove(let id, let field):
        if isPresent(id) { records[id]??.remove(field) }
      case .copy(let id, let other):
        guard isPresent(id), let source = records[other] ?? nil else { continue }
        for (key, value) in source.fields {
          records[id]??.set(key, value, errors: source.errors[key] ?? [])
        }
      case .invalidate, .invalidateStore: break
      case .fail: throw UpdateFailure()
      }
    }
    return records
  }
}

/// One action of an updater.
enum UpdateStep: Equatable {
  case set(String, String, JSONValue)
  /// Links a field to a record, or sets it to null if the record does not exist.
  case link(String, String, String?)
  case linkAll(String, String, [String])
  /// Sets a field with arguments, `nick(n:1)`.
  case setNick(String, JSONValue)
  /// Links a field with arguments, `item(first:1)`, to the second record, if that exists.
  case linkItem(String, String)
  case create(String, type: String)
  case delete(String)
  /// Removes a field.
  case remove(String, String)
  /// Copies the fields of the second record to the first.
  case copy(String, from: String)
  case invalidate(String)
  case invalidateStore
  case fail
}

/// One field of one record.
struct ModelField: Hashable {
  let id: String
  let key: String
}

extension UpdateStep {
  /// Returns the fields with arguments that the step writes.
  ///
  /// - Parameter records: The records before the step.
  fileprivate func argumentFields(in records: Model.Records) -> [ModelField] {
    func record(_ id: String) -> Model.Record? { records[id] ?? nil }
    switch self {
    case .setNick(let id, _):
      return record(id) == nil ? [] : [ModelField(id: id, key: "nick(n:1)")]
    case .linkItem(let id, let target):
      let isDone = record(id) != nil && record(target) != nil
      return isDone ? [ModelField(id: id, key: "item(first:1)")] : []
    case .copy(let id, let other):
      guard record(id) != nil, let fields = record(other)?.fields else { return [] }
      return fields.keys.filter { $0.contains("(") }.map { ModelField(id: id, key: $0) }
    default: return []
    }
  }
}

extension Model.Record {
  mutating func set(_ key: String, _ value: Model.Value, errors new: [String] = []) {
    fields[key] = value
    errors[key] = new.isEmpty ? nil : new
  }

  mutating func remove(_ key: String) {
    fields[key] = nil
    errors[key] = nil
  }
}

/// Normalizes a response's data to records.
struct ModelWriter {
  let errors: [[String]]
  private(set) var conflicts = 0
  /// The fields that this response has already written.
  private var fresh: [String: [String: Model.Value]] = [:]

  init(errors: [[String]]) { self.errors = errors }

  mutating func write(
    _ data: JSONValue, _ selection: ModelSelection, id: String, path: [String],
    to records: inout Model.Records, written ids: inout Set<String>
  ) {
    ids.insert(id)
    let type = id == "client:root" ? "__Root" : typeName(of: data, selection)
    // An object is written when it ends, after the objects inside it.
    var written: [(key: String, value: Model.Value, errors: [String])] = []
    for field in selection.fields where field.onlyOn == nil || field.onlyOn == type {
      guard let value = data.object?[field.name] else { continue }
      let fieldPath = path + [field.name]
      let rest = errors.filter { $0.starts(with: fieldPath) }
        .map { $0.dropFirst(fieldPath.count).joined(separator: ".") }
      let stored = store(
        value, in: field, of: id, path: fieldPath, records: &records, ids: &ids)
      written.append((field.storageKey, stored, value == .null ? rest : []))
    }
    if (records[id] ?? nil)?.typeName != type { records[id] = Model.Record(typeName: type) }
    for (key, value, errors) in written {
      records[id]??.set(key, value, errors: errors)
      if let other = fresh[id, default: [:]].updateValue(value, forKey: key), other != value {
        conflicts += 1
      }
    }
  }

  private func typeName(of data: JSONValue, _ selection: ModelSelection) -> String {
    selection.isAbstract
      ? data.object?["__typename"]?.string ?? "" : selection.typeName
  }

  private mutating func store(
    _ value: JSONValue, in field: ModelSelection.Field, of id: String, path: [String],
    records: inout Model.Records, ids: inout Set<String>
  ) -> Model.Value {
    let child = (id.hasPrefix("client:") ? id : "client:\(id)") + ":\(field.storageKey)"
    switch field.kind {
    case .object(let selection) where value != .null:
      let linked = self.id(of: value, selection) ?? child
      write(value, selection, id: linked, path: path, to: &records, written: &ids)
      return .link(linked)
    case .list(let selection) where value != .null:
      var links: [String?] = []
      for (position, element) in (value.array ?? []).enumerated() {
        if element == .null {
          links.append(nil)
          continue
        }
        let linked = self.id(of: element, selection) ?? "\(child):\(position)"
        write(
          element, selection, id: linked, path: path + ["\(position)"], to: &records,
          written: &ids)
        links.append(linked)
      }
      return .links(links)
    default: return .scalar(value)
    }
  }

  private func id(of value: JSONValue, _ selection: ModelSelection) -> String? {
    selection.hasID ? value.object?["id"]?.string : nil
  }
}
