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
        description: "The largest number of places to return. The default is 200."),
      .offset("places"),
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
    // An undefined name still counts if a document uses it.
    guard coordinate.exists(in: session) || !all.isEmpty else {
      try session.requireReadableSchema()
      let question = SchemaCoordinate.question(for: name, in: session)
      throw ToolFailure(
        message:
          "No type, field, enum value, directive, fragment or operation is called \"\(name)\"."
          + (question.map { " " + $0 } ?? ""))
    }
    let found = all.filter { arguments.isTrue("definitions") || !$0.isDefinition }
    return result(found, elements, arguments, SourcePlaces(session.workspace))
  }

  private static func result(
    _ found: [Occurrence], _ elements: [LanguageElement: String], _ arguments: ToolArguments,
    _ places: SourcePlaces
  ) -> ToolResult {
    var places = places
    let all = found.compactMap { occurrence in
      places.place(of: occurrence.span).map { (occurrence, $0) }
    }
    if all.isEmpty { return ToolResult(text: "No usages.") }
    var page = ResultPage(
      offset: arguments.integer("offset") ?? 0, of: all.count, "place",
      limit: arguments.integer("limit") ?? 200)
    for index in page.indices {
      let (occurrence, place) = all[index]
      let name = elements[occurrence.element] ?? ""
      let note = occurrence.isDefinition ? " (definition)" : ""
      let text = "\(place.path):\(place.line):\(place.column): \(name)\(note)\n    \(place.text)"
      guard page.add(text) else { break }
    }
    return ToolResult(text: page.text { "Call usages with offset \($0) for them." })
  }
}
