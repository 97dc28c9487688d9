import GraphQLLanguage

/// The result of a tool: a text for the assistant, and nothing else, because many clients give the
/// assistant every form of a result.
struct ToolResult {
  let text: String
  var isError = false

  /// The result of `tools/call`.
  var json: JSON {
    let text = ResultPage.cut(text, to: ResultPage.limit)
    let json: JSON = ["content": [["type": "text", "text": .string(text)]]]
    return isError ? json.adding("isError", true) : json
  }
}

/// A reason why a tool could not do what it was asked. The assistant reads the message.
struct ToolFailure: Error, Equatable {
  let message: String
}
