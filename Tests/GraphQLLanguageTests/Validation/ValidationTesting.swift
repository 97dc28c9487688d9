import Foundation
import GraphQLLanguage
import Testing

/// A schema with a type of every kind.
let petSchema = """
  interface Being { name(surname: Boolean): String }
  interface Pet implements Being { name(surname: Boolean): String owner: Human }
  type Dog implements Being & Pet {
    name(surname: Boolean): String owner: Human nickname: String barks(loud: Boolean!): Boolean
    volume: Int friends(first: Int = 10, by: [Order!]): [Dog!]
  }
  type Cat implements Being & Pet {
    name(surname: Boolean): String owner: Human nickname: String meows: Boolean volume: Float
  }
  union CatOrDog = Cat | Dog
  type Human implements Being { name(surname: Boolean): String pets: [Pet] }
  enum Order { NAME AGE }
  input Filter { name: String order: Order! = NAME age: Int! tags: [String!] }
  input Key @oneOf { id: ID name: String }
  type Query {
    dog: Dog cat: Cat pet: Pet catOrDog: CatOrDog human(id: ID!): Human find(filter: Filter, key: Key): Pet
    any(value: Any): Boolean float(value: Float): Boolean
  }
  type Mutation { rename(id: ID!, name: String): Pet }
  type Subscription { born: Pet died: Pet }
  scalar Any
  directive @onField(note: String) on FIELD
  directive @many(at: Int) repeatable on FIELD
  """

/// Returns each diagnostic as `rule line:column line:column`.
func report(_ diagnostics: [Diagnostic], in workspace: Workspace) -> [String] {
  let renderer = DiagnosticRenderer(workspace)
  return diagnostics.map { diagnostic in
    let locations = diagnostic.locations.compactMap(renderer.location(of:)).map {
      " \($0.line):\($0.column)"
    }
    return diagnostic.rule + locations.joined()
  }
}

/// Returns the errors of documents against ``petSchema`` or another schema.
func errors(
  in documents: String..., schema: String = petSchema, mode: ValidationMode = .specification,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> [String] {
  let (found, workspace) = diagnostics(
    in: documents, schema: schema, mode: mode, sourceLocation: sourceLocation)
  return report(found, in: workspace)
}

/// Returns the diagnostics of documents, and the workspace that resolves their locations.
func diagnostics(
  in documents: [String], schema: String = petSchema, mode: ValidationMode = .specification,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> ([Diagnostic], Workspace) {
  let workspace = Workspace()
  let sdl = workspace.parse(Source(path: "schema", schema))
  #expect(sdl.diagnostics.isEmpty, "the schema does not parse", sourceLocation: sourceLocation)
  let validated = Schema.validated(from: [sdl.document], in: workspace, mode: mode)
  #expect(validated.diagnostics == [], "the schema is invalid", sourceLocation: sourceLocation)
  let parsed = documents.map { workspace.parse(Source(path: "document", $0)) }
  for document in parsed {
    #expect(
      document.diagnostics.isEmpty, "a document does not parse", sourceLocation: sourceLocation)
  }
  return (validated.schema.validate(parsed.map(\.document), mode: mode), workspace)
}

/// Returns the errors of a schema with one or more sources.
func schemaErrors(in texts: String..., mode: ValidationMode = .specification) -> [String] {
  let workspace = Workspace()
  let parsed = texts.map { workspace.parse(Source(path: "schema", $0)) }
  let validated = Schema.validated(from: parsed.map(\.document), in: workspace, mode: mode)
  return report(parsed.flatMap(\.diagnostics) + validated.diagnostics, in: workspace)
}

/// Measures the processor time of `work` on this thread, excluding other tests and processes.
func processorSeconds(_ work: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  work()
  return now() - start
}
