/// The value of an argument in a plan: JSON with variables in any position.
package indirect enum PlanValue: Sendable, Equatable {
  case constant(JSONValue)
  case variable(String)
  case list([PlanValue])
  case object([PlanArgument])

  /// The names of its variables.
  var variables: [String] {
    switch self {
    case .constant: []
    case .variable(let name): [name]
    case .list(let values): values.flatMap(\.variables)
    case .object(let members): members.flatMap(\.value.variables)
    }
  }

  /// Returns the value for these variables; `nil` if it is an absent variable.
  ///
  /// As in GraphQL's input coercion, an absent variable omits its member from an object, and is
  /// null in a list.
  package func json(_ values: JSONObject) -> JSONValue? {
    switch self {
    case .constant(let value): value
    case .variable(let name): values[name]
    case .list(let elements): .array(elements.map { $0.json(values) ?? .null })
    case .object(let members):
      .object(
        JSONObject(
          members.compactMap { member in member.value.json(values).map { (member.name, $0) } }))
    }
  }
}

/// The storage key of a field with arguments.
enum StorageKey {
  /// Returns `name`, or `name(argument:JSON,…)` with the arguments sorted by name. A null argument
  /// is part of the key.
  package static func text(name: String, arguments: JSONObject) -> String {
    let sorted = arguments.members.sorted(byBytes: \.key)
    return text(name: name, sortedArguments: sorted.map { ($0.key, $0.value) })
  }

  static func text(name: String, sortedArguments: [(String, JSONValue)]) -> String {
    if sortedArguments.isEmpty { return name }
    var writer = JSONWriter()
    writer.raw(name)
    writer.raw("(")
    for (position, argument) in sortedArguments.enumerated() {
      if position > 0 { writer.raw(",") }
      writer.raw(argument.0)
      writer.raw(":")
      writer.write(argument.1.withSortedKeys)
    }
    writer.raw(")")
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONValue {
  /// The value with object members sorted by the bytes of their keys, and with numbers as
  /// JavaScript prints them.
  fileprivate var withSortedKeys: JSONValue {
    switch self {
    case .array(let values): return .array(values.map(\.withSortedKeys))
    case .object(let object):
      let members = object.members.sorted(byBytes: \.key)
      return .object(JSONObject(members.map { ($0.key, $0.value.withSortedKeys) }))
    case .number(let number):
      if number.digits.hasSameBytes(as: "-0") { return 0 }
      let isDecimal = number.digits.utf8.contains { ".eE".utf8.contains($0) }
      guard isDecimal, let double = number.double else { return self }
      return .number(JSONNumber(double))
    default: return self
    }
  }
}

/// An argument and its value, which may contain variables.
package struct PlanArgument: Sendable, Equatable {
  package var name: String
  package var value: PlanValue
}

/// An action on a field after the response is written: `%name(arguments)`.
package struct PlanHandle: Sendable, Equatable {
  package var name: String
  package var arguments: [PlanArgument]

  /// The value of the argument `label`; `nil` without one.
  var label: String? {
    guard case .constant(let value)? = arguments.first(where: { $0.name == "label" })?.value else {
      return nil
    }
    return value.string
  }
}
