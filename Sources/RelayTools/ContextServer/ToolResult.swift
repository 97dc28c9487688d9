import GraphQLLanguage

/// The result of a tool: plain text for the assistant. It has no second form, because many clients
/// pass every form of a result on to the assistant.
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

/// The reason why a tool could not do its work. The assistant reads the message.
struct ToolFailure: Error, Equatable {
  let message: String
}
