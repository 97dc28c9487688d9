import GraphQLLanguage

/// The answer of a tool: a text, and the same as a value.
struct ToolResult {
  let text: String
  var value: JSON?

  /// The result of `tools/call`.
  var json: JSON {
    let json: JSON = ["content": [["type": "text", "text": .string(text)]]]
    return value.map { json.adding("structuredContent", $0) } ?? json
  }
}

/// A reason why a tool could not do what it was asked. The assistant reads the message.
struct ToolFailure: Error, Equatable {
  let message: String
}
