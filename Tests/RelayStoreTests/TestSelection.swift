import GraphQLLanguage

@testable import RelayCompiler
@testable import RelayStore

/// The plans that relay-compiler generates for a GraphQL document, for tests below the level of
/// generated structs.
///
/// The document contains an operation, or a fragment to read. Fragments that it spreads may follow.
///
///     let todos = TestSelection("{ todos { id text } }")
///     try test.write(todos, ["todos": [["id": "1", "text": "a"]]])
///     #expect(test.json(todos)?["todos"] == [["id": "1", "text": "a"]])
struct TestSelection: Sendable {
  /// The reader's plan for the operation or the first fragment.
  let reader: SelectionPlan
  /// The normalizer's plan for the operation's response; `nil` for a fragment.
  private let stored: SelectionPlan?

  /// The document that is sent to the server; empty without an operation.
  let text: String
  /// The reader's plans for the fragments, by name.
  let fragments: [String: SelectionPlan]

  /// The diagnostics of a document that does not compile.
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// Compiles a document.
  ///
  /// - Parameters:
  ///   - document: An operation or a fragment; a selection set alone becomes a query.
  ///   - keyFields: The fields that identify objects instead of `id`, by type.
  ///   - idScalars: The scalars, in addition to `ID`, whose `id` fields identify objects.
  /// - Precondition: The document is valid against the schema.
  init(
    _ document: String, schema: String = TestSchema.text, keyFields: [String: [String]] = [:],
    idScalars: [String] = []
  ) {
    do {
      try self.init(
        compiling: document, schema: schema, keyFields: keyFields, idScalars: idScalars)
    } catch {
      preconditionFailure("A test's document does not compile.\n\(error)")
    }
  }

  /// Compiles a document that may be invalid.
  init(
    compiling document: String, schema: String, keyFields: [String: [String]] = [:],
    idScalars: [String] = []
  ) throws {
    var options = EmissionOptions(keyFields: keyFields)
    options.idScalars = idScalars
    let document = document.hasPrefix("{") ? "query TestQuery " + document : document
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "Test.graphql", bytes: ContiguousArray(document.utf8), output: "Test.swift")
        ],
        schema: [Source(path: "schema.graphql", bytes: ContiguousArray(schema.utf8))],
        options: options, makesFiles: false))
    guard let programs = compilation.stages.transformed,
      !compilation.diagnostics.contains(where: { $0.severity == .error })
    else {
      let renderer = DiagnosticRenderer(compilation.workspace)
      throw Failure(description: renderer.text(compilation.diagnostics))
    }
    let compiler = PlanCompiler(programs)
    let operation = programs.reader.operations.first
    reader = operation.map(compiler.reader) ?? compiler.reader(programs.reader.fragments[0])
    stored = programs.normalization.operations.first.map(compiler.normalization)
    fragments = Dictionary(
      programs.reader.fragments.map {
        (programs.reader.schema.symbols[$0.name], compiler.reader($0))
      },
      uniquingKeysWith: { first, _ in first })
    text =
      programs.sent.operations.first.map {
        OperationPrinter(program: programs.sent).document(of: $0).text
      } ?? ""
  }

  /// The normalizer's plan for the operation's response.
  ///
  /// - Precondition: The document has an operation.
  var normalization: SelectionPlan {
    guard let stored else { preconditionFailure("A fragment has no response.") }
    return stored
  }
}

/// Decodes the plans of transformed programs. Generated code contains them as strings.
private struct PlanCompiler {
  private let schema: Schema
  private let plans: PlanPrinter
  private let types: AbstractTypes
  private var inlined: [String: SelectionPlan] = [:]

  init(_ programs: TransformedPrograms) {
    schema = programs.reader.schema
    plans = PlanPrinter(
      schema: schema, uses: VariableUses(programs.reader), keys: programs.reader.keyFields)
    types = AbstractTypes(text: Self.table(of: schema))
    for fragment in programs.reader.fragments where fragment.isInline {
      inlined[schema.symbols[fragment.name]] = reader(fragment)
    }
  }

  func reader(_ operation: IR.Operation) -> SelectionPlan {
    decode(plans.plan(operation).text, of: operation.name.symbol)
  }

  func reader(_ fragment: IR.Fragment) -> SelectionPlan {
    decode(plans.plan(fragment).text, of: fragment.name)
  }

  func normalization(_ operation: IR.Operation) -> SelectionPlan {
    decode(plans.plan(operation.selections, on: operation.root).text)
  }

  private func decode(_ text: String, of definition: Symbol) -> SelectionPlan {
    let separator = text.first.map { "(<~".contains($0) } == true ? "" : " "
    return decode(schema.symbols[definition] + separator + text)
  }

  private func decode(_ text: String) -> SelectionPlan {
    guard let plan = SelectionPlan(stored: Array(text.utf8), types: types, inlined: inlined) else {
      preconditionFailure("The text is not a plan: \(text)")
    }
    return plan
  }

  /// The possible types of each abstract type.
  ///
  /// Unlike in generated code, the table has no entry `*`, so an object type that satisfies no
  /// abstract type is unknown to it.
  private static func table(of schema: Schema) -> String {
    schema.types.filter(\.isAbstract).map { type in
      let names = schema.possibleTypes(of: type).map { schema.name(of: $0) }
      return schema.name(of: type.id) + "=" + names.joined(separator: "|")
    }.joined(separator: ";")
  }
}
