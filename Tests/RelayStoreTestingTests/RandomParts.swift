import RelayStore
import RelayStoreTesting
import SeededRandom

/// A generator of valid documents about the library, with `@defer` and `@stream` at random
/// positions.
struct RandomParts {
  private var random: SeededGenerator
  private var labelCount = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The resolvers of the documents' lists and errors.
  static let resolvers: [String: FieldResolver] = [
    "Book.sequels": { _ in [Library.odes, Library.emma, Library.odes] },
    "Author.books": { _ in [Library.emma, Library.odes] },
    "Book.author": { call in
      if call.parent["id"] != "1" { throw GraphQLError(message: "Unknown.") }
      return call.parent["author"]
    },
  ]

  mutating func document() -> String {
    labelCount = 0
    return "{ \(selections(of: "Query", depth: 0)) }"
  }

  private mutating func selections(of type: String, depth: Int) -> String {
    var selections: [String] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      selections.append(
        Int.random(in: 0..<3, using: &random) == 0 && depth < 5
          ? fragment(on: type, depth: depth) : field(of: type, depth: depth))
    }
    return selections.joined(separator: " ")
  }

  private mutating func fragment(on type: String, depth: Int) -> String {
    let isDeferred = Int.random(in: 0..<4, using: &random) > 0
    let directive = isDeferred ? "@defer(label: \"\(label("D"))\") " : ""
    return "... on \(type) \(directive){ \(selections(of: type, depth: depth + 1)) }"
  }

  private mutating func field(of type: String, depth: Int) -> String {
    func inside(_ type: String) -> String { selections(of: type, depth: depth + 1) }
    let leaf = Int.random(in: 0..<3, using: &random)
    let isLeaf = depth > 3 || Bool.random(using: &random)
    switch (type, isLeaf, leaf) {
    case ("Query", true, _): return "__typename"
    case ("Query", false, 0): return "book(id: 1) { \(inside("Book")) }"
    case ("Query", false, _): return "books\(stream()) { \(inside("Book")) }"
    case ("Author", false, _): return "books\(stream()) { \(inside("Book")) }"
    case ("Author", _, _): return "name"
    case (_, true, _): return ["id", "title", "chapters"][leaf]
    case (_, false, 0): return "sequels\(stream()) { \(inside("Book")) }"
    case (_, false, _): return "author { \(inside("Author")) }"
    }
  }

  private mutating func stream() -> String {
    guard Bool.random(using: &random) else { return "" }
    let count = Int.random(in: 0...2, using: &random)
    return " @stream(label: \"\(label("S"))\", initialCount: \(count))"
  }

  private mutating func label(_ prefix: String) -> String {
    labelCount += 1
    return "\(prefix)\(labelCount)"
  }
}

/// The data of a response, assembled from its payloads.
struct AssembledParts {
  private(set) var data: JSONValue = .null
  /// The number of scalars received, including repeated ones.
  private(set) var leafCount = 0
  /// The reasons why the payloads are not valid.
  private(set) var problems: [String] = []
  private var pending: [String: JSONValue] = [:]
  private var isOver = false

  init(_ payloads: [JSONValue], format: IncrementalFormat) {
    for (index, payload) in payloads.enumerated() {
      if isOver { problems.append("A payload follows the last one.") }
      isOver = payload["hasNext"]?.bool != true
      if index == 0 {
        data = payload["data"] ?? .null
        leafCount += Self.leaves(data)
      }
      add(payload, format, isFirst: index == 0)
    }
    if !isOver { problems.append("The last payload is missing.") }
    if !pending.isEmpty { problems.append("Parts are incomplete: \(pending.keys.sorted()).") }
  }

  private mutating func add(_ payload: JSONValue, _ format: IncrementalFormat, isFirst: Bool) {
    for part in payload["pending"]?.array ?? [] {
      guard let id = part["id"]?.string, pending[id] == nil else {
        problems.append("A part is announced twice: \(part).")
        continue
      }
      pending[id] = part
    }
    if format == .payloads2020, !isFirst { merge(payload) }
    for entry in payload["incremental"]?.array ?? [] {
      format == .payloads2022 ? merge(entry) : mergeByID(entry)
    }
    for part in payload["completed"]?.array ?? []
    where pending.removeValue(forKey: part["id"]?.string ?? "") == nil {
      problems.append("An unknown part is complete: \(part).")
    }
  }

  /// Merges an entry that has its own path.
  private mutating func merge(_ entry: JSONValue) {
    let path = entry["path"]?.array ?? []
    merge(entry["items"]?[0] ?? entry["data"] ?? .null, at: path)
  }

  /// Merges an entry at the path of the part with its id.
  private mutating func mergeByID(_ entry: JSONValue) {
    guard let part = pending[entry["id"]?.string ?? ""] else {
      return problems.append("An entry has no part: \(entry).")
    }
    let path = (part["path"]?.array ?? []) + (entry["subPath"]?.array ?? [])
    if let item = entry["items"]?[0] {
      let count = path.reduce(data) { Self.child($0, $1) ?? .null }.array?.count ?? 0
      merge(item, at: path + [.number(JSONNumber(count))])
    } else {
      merge(entry["data"] ?? .null, at: path)
    }
  }

  private mutating func merge(_ value: JSONValue, at path: [JSONValue]) {
    leafCount += Self.leaves(value)
    guard let merged = Self.merging(value, at: path[...], into: data) else {
      return problems.append("Nothing is at \(path).")
    }
    data = merged
  }

  private static func child(_ value: JSONValue, _ step: JSONValue) -> JSONValue? {
    if let key = step.string { return value[key] }
    guard let index = step.int, let array = value.array, array.indices.contains(index) else {
      return nil
    }
    return array[index]
  }

  private static func merging(
    _ value: JSONValue, at path: ArraySlice<JSONValue>, into old: JSONValue
  ) -> JSONValue? {
    guard let step = path.first else { return merging(value, into: old) }
    if var array = old.array, let index = step.int, index <= array.count {
      if index == array.count {
        guard path.count == 1 else { return nil }
        return .array(array + [value])
      }
      guard let merged = merging(value, at: path.dropFirst(), into: array[index]) else {
        return nil
      }
      array[index] = merged
      return .array(array)
    }
    guard var object = old.object, let key = step.string, let child = object[key],
      let merged = merging(value, at: path.dropFirst(), into: child)
    else { return nil }
    object[key] = merged
    return .object(object)
  }

  private static func merging(_ value: JSONValue, into old: JSONValue) -> JSONValue {
    if var object = old.object, let new = value.object {
      for member in new.members {
        object[member.key] =
          object[member.key].map { merging(member.value, into: $0) }
          ?? member.value
      }
      return .object(object)
    }
    if let array = old.array, let new = value.array {
      let merged = zip(array, new).map { merging($1, into: $0) }
      return .array(merged + array.dropFirst(new.count) + new.dropFirst(array.count))
    }
    return value
  }

  /// Returns the number of scalars and nulls.
  static func leaves(_ value: JSONValue) -> Int {
    if let object = value.object { return object.members.map { leaves($0.value) }.reduce(0, +) }
    if let array = value.array { return array.map(leaves).reduce(0, +) }
    return 1
  }
}
