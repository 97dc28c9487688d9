import GraphQLLanguage
import RelayCompiler

/// A program that reads random responses through generated code, and compares the data with values
/// built by initializers.
struct RoundTripProgram {
  struct Failure: Error, CustomStringConvertible {
    /// Whether the documents exceed the compiler's limit on the size of a definition.
    let isTooLarge: Bool
    let description: String
  }

  /// The program's files.
  private(set) var files: [(name: String, text: String)] = []
  private(set) var reached: [String: Int] = [:]
  private(set) var caseCount = 0
  /// The number of responses skipped because no type condition implies all others that hold, so
  /// their value has no initializer.
  private(set) var skippedCount = 0

  private let documents: DocumentModel
  private let schema: SchemaModel
  private let structs: GeneratedStructs
  private var dice: Dice
  private var cases = "import RelayStore\n"
  private var main = ""

  /// - Parameters:
  ///   - queries: The number of queries.
  ///   - responses: The number of responses for each query.
  init(seed: UInt64, queries: Int, responses: Int) throws {
    dice = Dice(seed: seed)
    schema = SchemaModel(dice: &dice)
    documents = DocumentModel(schema: schema, queries: queries, dice: &dice)
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(
            path: "Documents.graphql", bytes: ContiguousArray(documents.text.utf8),
            output: "Documents.graphql.swift")
        ],
        schema: [Source(path: "schema.graphql", bytes: ContiguousArray(schema.text.utf8))]))
    if compilation.files.isEmpty || compilation.diagnostics.hasErrors {
      throw Failure(
        isTooLarge: compilation.diagnostics.allSatisfy { $0.rule == "definition-size" },
        description: compilation.diagnostics.map(\.message).joined(separator: "\n") + "\n"
          + schema.text + "\n" + documents.text)
    }
    files = compilation.files.map { ($0.name, $0.text) }
    structs = GeneratedStructs(files.map(\.text).joined(separator: "\n"))
    for query in documents.queries { try add(query, responses: responses) }
    for mutation in documents.mutations { try add(mutation, responses: 2) }
    files.append(("Cases.swift", cases))
    files.append(("Support.swift", Self.support))
    files.append(("main.swift", main + "print(\"compared\", comparisons)\n"))
  }

  // MARK: Cases

  private mutating func add(_ query: DocumentModel.Definition, responses: Int) throws {
    var previous: (name: String, variables: [String: Bool], lines: [String])?
    var remaining = responses
    for _ in 0..<responses * 8 where remaining > 0 {
      guard let (name, variables, lines) = try addCase(query) else {
        skippedCount += 1
        continue
      }
      remaining -= 1
      main += "let \(name)Data = try await \(name)()\n"
      // References also differ by variables, but `lines` does not show these.
      if let previous, previous.variables == variables {
        let isSame = previous.lines == lines
        let function = isSame ? "expectEqual" : "expectDifferent"
        main += "\(function)(\(previous.name)Data, \(name)Data, at: \"\(name)\")\n"
      }
      previous = (name, variables, lines)
    }
  }

  private mutating func addCase(
    _ query: DocumentModel.Definition
  ) throws -> (name: String, variables: [String: Bool], lines: [String])? {
    let model = ResponseModel(
      schema: schema, documents: documents, type: query.type, dice: Dice(seed: dice.next()))
    let variables = documents.variables(of: query)
    let response = model.response(to: query)
    var writer = InitializerWriter(structs: structs, model: model)
    var lines: [String] = []
    var own: [String] = []
    var raw = ""
    do {
      let value = try writer.build(
        query.name + ".Data", node: model.root, model.scoped(query.selections))
      own = writer.lines
      lines.append("expectEqual(read.data, \(value), at: \"\(query.name)\")")
      lines += try fragments(of: &writer)
      if query.type == "Mutation" { raw = try optimistic(query, model) }
    } catch InitializerWriter.Problem.notBuildable { return nil }
    reached.merge(model.reached, uniquingKeysWith: +)
    for (state, count) in conditions(model) { reached[state, default: 0] += count }
    let name = "case\(caseCount)"
    caseCount += 1
    let arguments = variables.map { "\($0): \(model.variables[$0] ?? false)" }
    cases += """
      @MainActor func \(name)() async throws -> \(query.name).Data? {
        let operation = \(query.name)(\(arguments.joined(separator: ", ")))
        let json = #"\(response)"#
        \(raw.isEmpty ? Self.commitPayload : raw)
        expectComplete(read, at: "\(query.name)")
        \((writer.lines + lines).joined(separator: "\n  "))
        return read.data
      }

      """
    return (name, model.variables, own)
  }

  /// The statements that commit and read the response to a query.
  private static let commitPayload = """
    let environment = RelayEnvironment(transport: NoTransport())
      try environment.commitPayload(operation, data: Array(json.utf8))
      let read = environment.read(operation)
    """

  /// The statements that commit a mutation with an optimistic response equal to the server's.
  ///
  /// They check that the store has the same content before and after the response.
  private func optimistic(
    _ mutation: DocumentModel.Definition, _ model: ResponseModel
  ) throws -> String {
    var writer = RawResponseWriter(structs: structs, model: model)
    let value = try writer.build(
      mutation.name + ".RawResponse", node: model.root, model.scoped(mutation.selections))
    model.markReached("optimistic response")
    return """
      \(writer.lines.joined(separator: "\n  "))
        let server = SingleResponseTransport(json)
        let environment = RelayEnvironment(transport: server)
        server.dumpStore = { environment.store.dump(.visible) }
        let read = try await environment.commit(operation, optimisticResponse: \(value))
        expectEqualLines(
          server.dumpAtSending, environment.store.dump(.base), at: "\(mutation.name).RawResponse")
      """
  }

  /// Returns statements that read and compare every masked fragment encountered, including nested
  /// ones.
  private mutating func fragments(of writer: inout InitializerWriter) throws -> [String] {
    var lines: [String] = []
    var next = 0
    var seen: Set<String> = []
    while next < writer.references.count {
      let encountered = writer.references[next]
      let (name, reference) = (encountered.fragment, encountered.text)
      next += 1
      guard seen.insert(reference).inserted, let fragment = documents.fragment(name) else {
        continue
      }
      let selections = writer.model.scoped(fragment.selections, encountered.locals)
      let value = try writer.build(name, node: encountered.node, selections)
      lines.append("expectComplete(environment.read(\(reference)), at: \"\(name)\")")
      lines.append("expectEqual(environment.read(\(reference)).data, \(value), at: \"\(name)\")")
      // A reference with inline data reads that data.
      lines.append("expectEqual(environment.read(.value(\(value))).data, \(value), at: \".value\")")
    }
    return lines
  }

  private func conditions(_ model: ResponseModel) -> [String: Int] {
    Dictionary(
      model.variables.map { ("variable is \($0.value)", 1) }, uniquingKeysWith: +)
  }

  private static let support = """
    import RelayStore

    struct NoTransport: Transport {
      func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse { throw CancellationError() }
    }
    /// A transport with one response, which records the store as it is when the mutation is sent.
    ///
    /// Unchecked: the program sends one request at a time, and reads `dumpAtSending` after its
    /// response.
    final class SingleResponseTransport: Transport, @unchecked Sendable {
      let json: String
      var dumpStore: () -> String = { "" }
      var dumpAtSending = ""
      init(_ json: String) { self.json = json }
      func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
        dumpAtSending = dumpStore()
        return GraphQLResponse(body: Array("{\\"data\\":\\(json)}".utf8))
      }
    }
    @MainActor var comparisons = 0
    @MainActor func expectEqual<Value: Hashable>(_ left: Value, _ right: Value, at place: String) {
      comparisons += 1
      if left != right || left.hashValue != right.hashValue {
        print("FAILED at \\(place): \\(left) is not \\(right)")
      }
    }
    @MainActor func expectEqualLines(_ left: String, _ right: String, at place: String) {
      comparisons += 1
      // Only the server's response has the types' membership in abstract types.
      let lines = { (text: String) in
        text.split(separator: "\\n").filter { !$0.hasPrefix("  \\"client:__type:") }
      }
      let (left, right) = (lines(left), lines(right))
      let (more, less) = (Set(left).subtracting(right).sorted(), Set(right).subtracting(left).sorted())
      if left != right { print("FAILED at \\(place): \\(more.first ?? "") is not \\(less.first ?? "")") }
    }
    @MainActor func expectDifferent<Value: Hashable>(_ left: Value, _ right: Value, at place: String) {
      comparisons += 1
      if left == right { print("FAILED at \\(place): two responses have the value \\(String(describing: left))") }
    }
    @MainActor func expectComplete<Value>(_ snapshot: Snapshot<Value>, at place: String) {
      if snapshot.data == nil || !snapshot.missing.isEmpty || !snapshot.errors.isEmpty {
        print("FAILED at \\(place): missing \\(snapshot.missing), errors \\(snapshot.errors)")
      }
    }

    """
}
