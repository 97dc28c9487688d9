import GraphQLLanguage
import RelayCompiler

extension ContextTool {
  /// The tool `search_schema`.
  static let searchSchema = ContextTool(
    name: "search_schema", title: "Search the GraphQL schema",
    description: """
      Finds types, fields, input fields, enum values and directives of the schema, with their \
      declarations, descriptions, arguments and deprecations, best match first. The query is a \
      question ("how many friends does a user have"), words, or an exact name: Type, Type.field, \
      @directive. The exact name of a type returns its fields or values too; "Query" and \
      "Mutation" list the operations of the server. Prefer it to reading the schema file, because \
      that may be large.
      """,
    parameters: [
      ToolParameter(
        name: "query", kind: .text, isRequired: true,
        description: "A question, words, or an exact name such as User, User.name or @refetchable."),
      ToolParameter(
        name: "kinds", kind: .names(ElementSearch.Kind.allCases.map(\.rawValue)),
        description: "Only elements of these kinds."),
      ToolParameter(
        name: "limit", kind: .integer(1...200),
        description:
          "The largest number of results, including the members of a type that the query names. "
          + "The default is 20 and those members."
      ),
      .offset("results"),
      ToolParameter(
        name: "paths", kind: .flag,
        description:
          "Whether the shortest paths of fields from the query type are returned for each type found."
      ),
    ],
    run: runSearchSchema)

  /// The largest number of paths to a type, and of possible types.
  private static let (pathLimit, possibleLimit) = (5, 300)

  private static func runSearchSchema(
    _ project: inout ContextProject, _ arguments: ToolArguments
  ) throws(ToolFailure) -> ToolResult {
    let session = try project.read()
    try session.requireReadableSchema()
    let context = session.languageContext
    let query = arguments.text("query") ?? ""
    let named = arguments.names("kinds")?.compactMap(ElementSearch.Kind.init)
    let kinds = Set(named ?? ElementSearch.Kind.allCases)
    let index = project.elements(of: context)
    let found = ElementSearch(query, in: index).results(kinds)
    if found.isEmpty {
      let names = Set(index.items.filter { kinds.contains($0.kind) }.map(\.coordinate))
      let question = SchemaCoordinate.question(for: query, in: session, among: names)
      return ToolResult(
        text: "Nothing matches \"\(query)\"." + (question.map { " " + $0 } ?? ""))
    }
    return result(found, query, arguments, context)
  }

  private static func result(
    _ found: [ElementSearch.Item], _ query: String, _ arguments: ToolArguments,
    _ context: LanguageContext
  ) -> ToolResult {
    let paths = arguments.isTrue("paths") ? SchemaPaths(context.schema) : nil
    let text = ElementDescriptions(context)
    // A type that the query names, followed by its members.
    let named = found.first.flatMap { first in
      first.coordinate.lowercased() == query.lowercased() ? first.type : nil
    }
    let isType = !(found.first?.coordinate.contains(".") ?? true)
    let members = isType ? named.map { ElementSearch.members(of: $0, text) } ?? [] : []
    let known = Set(members.map(\.coordinate))
    let others = found.dropFirst().filter { !known.contains($0.coordinate) }
    let all = found.prefix(1) + members + others
    var page = ResultPage(
      offset: arguments.integer("offset") ?? 0, of: all.count, "result",
      limit: arguments.integer("limit") ?? members.count + 20)
    for index in page.indices {
      let isMember = index > 0 && index <= members.count
      let lines =
        isMember
        ? lines(of: all[index], text).map { "  " + $0 }
        : lines(of: all[index], text, paths: paths, isNamed: index == 0 && named != nil)
      guard page.add(lines.joined(separator: "\n")) else { break }
    }
    return ToolResult(
      text: page.text {
        "Call search_schema with offset \($0) for them, or with other words for fewer."
      })
  }

  /// Returns the lines that describe an element.
  ///
  /// - Parameters:
  ///   - paths: The paths to types, if they are wanted.
  ///   - isNamed: Whether the query is the element's name.
  private static func lines(
    of item: ElementSearch.Item, _ text: ElementDescriptions, paths: SchemaPaths? = nil,
    isNamed: Bool = false
  ) -> [String] {
    var lines = [item.entry.declaration]
    if let reason = text.deprecation(in: item.entry.directives) {
      lines.append("  deprecated: \(reason)")
    }
    if item.kind == .directive,
      let reason = ClientDirectives.refusal(of: String(item.coordinate.dropFirst()))
    {
      lines.append("  refused: \(reason)")
    }
    if let description = item.entry.description {
      lines += description.split(separator: "\n").map { "  \($0)" }
    }
    for argument in item.arguments {
      guard argument.description != nil || argument.deprecationReason != nil else { continue }
      let reason = argument.deprecationReason.map { "deprecated: \($0)" }
      let notes = [reason, argument.description].compactMap(\.self)
      lines.append(
        "  \(text.entry(of: argument).declaration): \(notes.joined(separator: " "))")
    }
    guard let type = item.type, !item.coordinate.contains(".") else { return lines }
    let schema = text.context.schema
    if isNamed, type.isAbstract {
      let names = schema.possibleTypes(of: type).map { schema.name(of: $0) }
      let rest = names.count - possibleLimit
      lines.append(
        "  possible types: \(names.prefix(possibleLimit).joined(separator: ", "))"
          + (rest > 0 ? " and \(rest) more; call usages of \(item.coordinate) for all" : ""))
    }
    if let paths, type.isComposite {
      lines += paths.paths(to: type.id, limit: pathLimit).map { "  path: \($0)" }
    }
    return lines
  }
}
