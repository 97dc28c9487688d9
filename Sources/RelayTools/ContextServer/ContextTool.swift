import GraphQLLanguage

/// A tool that an assistant can call.
struct ContextTool: Sendable {
  /// All tools.
  static let all = [searchSchema, validate, explain, usages, applyFix]

  typealias Run =
    @Sendable (inout ContextProject, ToolArguments) throws(ToolFailure) -> ToolResult

  let name: String
  let title: String
  /// The description that tells an assistant when to call the tool.
  let description: String
  let parameters: [ToolParameter]
  /// Whether the tool leaves all files unchanged.
  var isReadOnly = true
  let run: Run

  /// The tool as `tools/list` describes it.
  var json: JSON {
    let properties = parameters.map { JSON.Member($0.name, $0.json) }
    let required = parameters.filter(\.isRequired).map { JSON.string($0.name) }
    var input: JSON = ["type": "object", "properties": .object(properties)]
    if !required.isEmpty { input = input.adding("required", .list(required)) }
    return [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "inputSchema": input.adding("additionalProperties", false),
      "annotations": [
        "title": .string(title), "readOnlyHint": .boolean(isReadOnly),
        // A fix replaces part of a file, so a second call finds the file changed.
        "destructiveHint": .boolean(!isReadOnly), "idempotentHint": .boolean(isReadOnly),
        "openWorldHint": false,
      ],
    ]
  }
}
