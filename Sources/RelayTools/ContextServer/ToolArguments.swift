import GraphQLLanguage

/// A parameter of a tool.
struct ToolParameter: Sendable {
  /// The values that are accepted.
  enum Kind: Sendable {
    case text
    case flag
    case integer(ClosedRange<Int>)
    /// A list of some of these names.
    case names([String])
  }

  let name: String
  let kind: Kind
  var isRequired = false
  let description: String

  /// The JSON schema of the values.
  var json: JSON {
    let type: JSON =
      switch kind {
      case .text: ["type": "string"]
      case .flag: ["type": "boolean"]
      case .integer(let range):
        [
          "type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound),
        ]
      case .names(let names):
        ["type": "array", "items": ["type": "string", "enum": .list(names.map(JSON.string))]]
      }
    return type.adding("description", .string(description))
  }

  /// The description of the accepted values; `nil` if `value` is one of them.
  func mistake(in value: JSON) -> String? {
    switch kind {
    case .text: value.text == nil ? "a string" : nil
    case .flag: value == .boolean(true) || value == .boolean(false) ? nil : "a boolean"
    case .integer(let range):
      value.integer.map(range.contains) == true
        ? nil : "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .names(let names):
      if case .list(let items) = value,
        items.allSatisfy({ $0.text.map(names.contains) ?? false })
      {
        nil
      } else {
        "a list of " + names.joined(separator: ", ")
      }
    }
  }
}

extension ToolParameter {
  /// The parameter that asks for the rest of a result.
  ///
  /// - Parameter unit: The name of the counted unit.
  static func offset(_ unit: String) -> Self {
    ToolParameter(
      name: "offset", kind: .integer(0...Int(Int32.max)),
      description: "The number of \(unit) to skip, as given at the end of the previous result.")
  }
}

/// The arguments of a call, checked against the tool's parameters.
struct ToolArguments {
  private let values: JSON

  /// Checks arguments; `null` counts as missing.
  ///
  /// - Throws: ``ToolFailure`` that names the argument and the expected value.
  init(_ json: JSON?, of parameters: [ToolParameter]) throws(ToolFailure) {
    values = json ?? .null
    switch values {
    case .null, .object: break
    default: throw ToolFailure(message: "\"arguments\" is not an object.")
    }
    if case .object(let members) = values {
      for member in members where !parameters.contains(where: { $0.name == member.name }) {
        let names = parameters.map(\.name)
        let help =
          didYouMean(suggestions(for: member.name, among: names))
          ?? "The tool takes \(names.map { "\"\($0)\"" }.joined(separator: ", "))."
        throw ToolFailure(message: "Unknown argument \"\(member.name)\". \(help)")
      }
    }
    for parameter in parameters {
      guard let value = values[parameter.name], value != .null else {
        if !parameter.isRequired { continue }
        throw ToolFailure(message: "The argument \"\(parameter.name)\" is missing.")
      }
      if let expected = parameter.mistake(in: value) {
        throw ToolFailure(
          message: "The argument \"\(parameter.name)\" must be \(expected).")
      }
    }
  }

  /// Returns a string; `nil` if it is missing.
  func text(_ name: String) -> String? { values[name]?.text }
  /// Returns an integer; `nil` if it is missing.
  func integer(_ name: String) -> Int? { values[name]?.integer }
  /// Whether an argument is `true`.
  func isTrue(_ name: String) -> Bool { values[name]?.isTrue ?? false }
  /// Returns a list of names; `nil` if it is missing.
  func names(_ name: String) -> [String]? {
    if case .list(let items)? = values[name] { items.compactMap(\.text) } else { nil }
  }
}
