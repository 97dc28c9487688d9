import GraphQLLanguage

extension ContextTool {
  /// The tool `usages`.
  static let usages = ContextTool(
    name: "usages", title: "Find usages in GraphQL documents",
    description: """
      Lists where GraphQL documents and the schema refer to something: a type or an input object (User), a field, an \
      input field or an enum value (User.name, Status.ACTIVE), a directive (@refetchable), a fragment or an operation \
      by its name. Selections of a field through an interface count as usages of the field of each implementing type. \
      It does not search Swift code that uses generated types.
      """,
    parameters: [
      ToolParameter(
        name: "of", kind: .text, isRequired: true,
        description:
          "Type, Type.field, Enum.VALUE, @directive, or the name of a fragment or an operation."),
      ToolParameter(
        name: "definitions", kind: .flag,
        description: "Whether places that define it are included."),
      ToolParameter(
        name: "limit", kind: .integer(1...1_000),
        description: "The largest number of places to return, 200 without it."),
    ],
    results: [
      .init("total", ["type": "integer", "description": "The number of places."]),
      .init(
        "places",
        [
          "type": "array",
          "items": [
            "type": "object", "required": ["path", "line", "column", "text", "of", "isDefinition"],
            "properties": [
              "path": ["type": "string"], "line": ["type": "integer"],
              "column": ["type": "integer"], "text": ["type": "string"],
              "of": ["type": "string", "description": "What the place refers to."],
              "isDefinition": ["type": "boolean"],
            ],
          ],
        ]),
    ], run: runUsages)

  private static func runUsages(
    _ project: inout ContextProject, _ arguments: ToolArguments
  ) throws(ToolFailure) -> ToolResult {
    let session = try project.read()
    let name = arguments.text("of") ?? ""
    let context = session.languageContext
    let coordinate = SchemaCoordinate(name)
    let elements = coordinate.elements(in: context)
    var all: [Occurrence] = []
    if !elements.isEmpty {
      all = session.allDocuments.flatMap { document in
        OccurrenceWalker.occurrences(in: document, context)
      }.filter { elements[$0.element] != nil }
    }
    // A name that nothing defines is used if a document uses it nevertheless.
    guard coordinate.exists(in: session) || !all.isEmpty else {
      let question = SchemaCoordinate.question(for: name, in: session)
      throw ToolFailure(
        message:
          "There is no type, field, enum value, directive, fragment or operation \"\(name)\"."
          + (question.map { " " + $0 } ?? ""))
    }
    let found = all.filter { arguments.isTrue("definitions") || !$0.isDefinition }
    return result(
      found, elements, limit: arguments.integer("limit") ?? 200, SourcePlaces(session.workspace))
  }

  private static func result(
    _ found: [Occurrence], _ elements: [LanguageElement: String], limit: Int, _ places: SourcePlaces
  ) -> ToolResult {
    var places = places
    var items: [JSON] = []
    var lines: [String] = []
    let all = found.compactMap { occurrence in
      places.place(of: occurrence.span).map { (occurrence, $0) }
    }
    for (occurrence, place) in all.prefix(limit) {
      let name = elements[occurrence.element] ?? ""
      items.append(
        .object(
          place.members + [
            .init("text", .string(place.text)), .init("of", .string(name)),
            .init("isDefinition", .boolean(occurrence.isDefinition)),
          ]))
      let note = occurrence.isDefinition ? " (definition)" : ""
      lines.append("\(place.path):\(place.line):\(place.column): \(name)\(note)\n    \(place.text)")
    }
    let rest = all.count - items.count
    if rest > 0 { lines.append("… and \(rest) more") }
    return ToolResult(
      text: all.isEmpty ? "There are no usages." : lines.joined(separator: "\n"),
      value: ["total": .int(all.count), "places": .list(items)])
  }
}
