/// A path in a response: response keys and list indices, from the root.
public struct ResponsePath: Hashable, Sendable {
  /// One step of a path: into a field or into a list.
  public enum Component: Hashable, Sendable {
    /// The response key of a field.
    case field(String)
    /// The index in a list, from zero.
    case index(Int)
  }

  /// The steps, outermost first.
  public var components: [Component]

  /// Creates a path from its steps, outermost first; without steps, the root.
  public init(_ components: [Component] = []) { self.components = components }

  /// Returns this path with one more step.
  public func appending(_ component: Component) -> ResponsePath {
    ResponsePath(components + [component])
  }
}

extension ResponsePath: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Component...) { components = elements }
}

extension ResponsePath.Component: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .field(value) }
  public init(integerLiteral value: Int) { self = .index(value) }
}

extension ResponsePath: CustomStringConvertible {
  /// The path as a string, for example `viewer.todos[3].text`; `(root)` for an empty path.
  public var description: String {
    if components.isEmpty { return "(root)" }
    var text = ""
    for component in components {
      switch component {
      case .field(let name): text += text.isEmpty ? name : ".\(name)"
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }
}

extension ResponsePath {
  /// The path as responses spell it: an array of response keys and indices.
  package var json: JSONValue {
    .array(
      components.map { component in
        switch component {
        case .field(let name): .string(name)
        case .index(let index): .number(JSONNumber(index))
        }
      })
  }
}

extension ResponsePath: Codable {
  /// Decodes a path: an array of response keys and indices, as in the `path` of a GraphQL error.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    components = []
    while !container.isAtEnd {
      if let index = try? container.decode(Int.self) {
        components.append(.index(index))
      } else {
        components.append(.field(try container.decode(String.self)))
      }
    }
  }

  /// Encodes the path as an array of response keys and indices.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for component in components {
      switch component {
      case .field(let name): try container.encode(name)
      case .index(let index): try container.encode(index)
      }
    }
  }
}
