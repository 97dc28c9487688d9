import GraphQLLanguage

extension ContextTool {
  /// The tool `search_schema`.
  static let searchSchema = ContextTool(
    name: "search_schema", title: "Search the GraphQL schema",
    description: """
      Finds types, fields, input fields, enum values and directives of the schema, with their declarations, \
      descriptions, arguments and deprecations, best match first. The query is words of names or descriptions \
      ("friend list"), or an exact name: Type, Type.field, @directive. The exact name of a type returns its fields or \
      values too; "Query" and "Mutation" list what a server can be asked. Prefer it to reading the schema file, which \
      may be large.
      """,
    parameters: [
      ToolParameter(
        name: "query", kind: .text, isRequired: true,
        description: "Words, or an exact name such as User, User.name or @refetchable."),
      ToolParameter(
        name: "kinds", kind: .names(ElementSearch.Kind.allCases.map(\.rawValue)),
        description: "Only elements of these kinds."),
      ToolParameter(
        name: "limit", kind: .integer(1...200),
        description: "The largest number of results, 20 without it."),
      ToolParameter(
        name: "paths", kind: .flag,
        description:
          "Whether the shortest paths of fields from the query type are returned for each type found."
      ),
    ],
    results: [
      .init("total", ["type": "integer", "description": "The number of matches."]),
      .init("results", ["type": "array", "items": elementSchema]),
    ],
    run: runSearchSchema)

  private static let elementSchema: JSON = [
    "type": "object", "required": ["coordinate", "kind", "declaration"],
    "properties": [
      "coordinate": ["type": "string"], "kind": ["type": "string"],
      "declaration": ["type": "string"], "description": ["type": "string"],
      "deprecated": ["type": "string", "description": "The reason."],
      "refused": [
        "type": "string", "description": "Why the compiler refuses the directive in documents.",
      ],
      "arguments": [
        "type": "array",
        "items": [
          "type": "object",
          "properties": ["declaration": ["type": "string"], "description": ["type": "string"]],
        ],
      ],
      "members": [
        "type": "array", "items": ["type": "object"],
        "description": "The fields or values of the type that the query names.",
      ],
      "possibleTypes": ["type": "array", "items": ["type": "string"]],
      "paths": ["type": "array", "items": ["type": "string"]],
    ],
  ]

  /// The largest number of members of a type, and of paths to one.
  private static let (memberLimit, pathLimit) = (300, 5)

  private static func runSearchSchema(
    _ project: inout ContextProject, _ arguments: ToolArguments
  ) throws(ToolFailure) -> ToolResult {
    let session = try project.read()
    let context = session.languageContext
    let query = arguments.text("query") ?? ""
    let kinds = arguments.names("kinds")?.compactMap(ElementSearch.Kind.init)
    let found = ElementSearch(query, kinds: Set(kinds ?? ElementSearch.Kind.allCases))
      .results(in: context)
    if found.isEmpty {
      let question = SchemaCoordinate.question(for: query, in: session).map { " " + $0 } ?? ""
      return ToolResult(
        text: "Nothing matches \"\(query)\"." + question, value: ["total": 0, "results": []])
    }
    let paths = arguments.isTrue("paths") ? SchemaPaths(context.schema) : nil
    let text = ElementText(context)
    let limit = arguments.integer("limit") ?? 20
    let items = found.prefix(limit).map { item in
      element(
        item, text, paths: paths, isNamed: item.coordinate.lowercased() == query.lowercased())
    }
    let rest = found.count - items.count
    let texts = items.map { lines(of: $0, indentation: "") }
    let end = rest > 0 ? ["… and \(rest) more"] : []
    return ToolResult(
      text: (texts + end).joined(separator: "\n"),
      value: ["total": .int(found.count), "results": .list(items)])
  }

  private static func element(
    _ item: ElementSearch.Item, _ text: ElementText, paths: SchemaPaths?, isNamed: Bool
  ) -> JSON {
    var json: JSON = [
      "coordinate": .string(item.coordinate), "kind": .string(item.kind.rawValue),
      "declaration": .string(item.entry.declaration),
    ]
    if let description = item.entry.description {
      json = json.adding("description", .string(description))
    }
    if let reason = text.deprecation(in: item.entry.directives) {
      json = json.adding("deprecated", .string(reason))
    }
    if item.kind == .directive,
      let reason = ClientDirectives.refusal(of: String(item.coordinate.dropFirst()))
    {
      json = json.adding("refused", .string(reason))
    }
    let described = item.arguments.filter { $0.description != nil || $0.deprecationReason != nil }
    if !described.isEmpty {
      json = json.adding("arguments", .list(described.map { argument($0, text) }))
    }
    let isMember = item.coordinate.contains(".")
    guard let type = item.type, !isMember else { return json }
    let schema = text.context.schema
    if isNamed {
      let members = ElementSearch.members(of: type, text).prefix(memberLimit)
      if !members.isEmpty {
        let items = members.map { element($0, text, paths: nil, isNamed: false) }
        json = json.adding("members", .list(items))
      }
      if type.isAbstract {
        let names = schema.possibleTypes(of: type).map { JSON.string(schema.name(of: $0)) }
        json = json.adding("possibleTypes", .list(names))
      }
    }
    guard let paths, type.isComposite else { return json }
    let found = paths.paths(to: type.id, limit: pathLimit)
    return json.adding("paths", .list(found.map(JSON.string)))
  }

  private static func argument(_ argument: SchemaInputValue, _ text: ElementText) -> JSON {
    var json: JSON = ["declaration": .string(text.entry(of: argument).declaration)]
    if let description = argument.description {
      json = json.adding("description", .string(description))
    }
    if let reason = argument.deprecationReason { json = json.adding("deprecated", .string(reason)) }
    return json
  }

  /// Returns an element as lines of text.
  private static func lines(of element: JSON, indentation: String) -> String {
    var lines = [element["declaration"]?.text ?? ""]
    if let reason = element["deprecated"]?.text { lines.append("  deprecated: \(reason)") }
    if let reason = element["refused"]?.text { lines.append("  refused: \(reason)") }
    if let description = element["description"]?.text {
      lines += description.split(separator: "\n").map { "  \($0)" }
    }
    for argument in element["arguments"]?.items ?? [] {
      let reason = argument["deprecated"]?.text.map { "deprecated: \($0)" }
      let notes = [reason, argument["description"]?.text].compactMap(\.self)
      lines.append(
        "  \(argument["declaration"]?.text ?? ""): \(notes.joined(separator: " "))")
    }
    let types = element["possibleTypes"]?.items.compactMap(\.text) ?? []
    if !types.isEmpty { lines.append("  possible types: \(types.joined(separator: ", "))") }
    lines += element["paths"]?.items.compactMap(\.text).map { "  path: \($0)" } ?? []
    let members = element["members"]?.items ?? []
    return
      (lines.map { indentation + $0 }
      + members.map { Self.lines(of: $0, indentation: indentation + "  ") })
      .joined(separator: "\n")
  }
}
