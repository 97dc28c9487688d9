import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler

/// Random documents. graphql-core validates the documents sent for them: see
/// Tests/Integration/SentTexts.
///
/// `RELAYSTORE_DOCUMENTS` sets the number of documents, and `RELAYSTORE_SEED` the seed of the
/// first. A run of more than 1,000 documents also uses the schemas next to the package.
///
/// `make soak` runs many more cases, so the suite has 120 minutes.
@Suite("Random documents", .timeLimit(.minutes(120)))
struct SentTextPropertyTests {
  private static let package = RealProject.package
  private static let python = package.appendingPathComponent(".venv/bin/python")
  private static let environment = ProcessInfo.processInfo.environment

  private static var isAvailable: Bool {
    environment["RELAYSTORE_REQUIRE_SERVER"] == "1"
      || FileManager.default.isExecutableFile(atPath: python.path)
  }

  private static let ownSchemas = [
    "Examples/TaskTracker/Sources/TaskTrackerServer/schema.graphql",
    "Tests/GeneratedCode/schema.graphql", "Tests/RelayStoreTests/schema.graphql",
    "Tests/Guides/schema.graphql",
  ]

  @Test(
    "the text that is sent for an accepted document is valid",
    .enabled(if: isAvailable, "graphql-core needs .venv, which make test creates"))
  func valid() throws {
    let seed = Self.environment["RELAYSTORE_SEED"].flatMap { Int($0) } ?? 3_900
    let count = Self.environment["RELAYSTORE_DOCUMENTS"].flatMap { Int($0) } ?? 300
    let lines = try run(
      ["documents", "\(seed)", "\(count)"]
        + RealProject.schemas(Self.ownSchemas, isLong: count > 1_000), input: Data())
    var documents: [String: (schema: String, document: String, text: String)] = [:]
    var (batch, schema, texts) = ([(name: String, text: String)](), "", Data())
    func compile() throws {
      if batch.isEmpty { return }
      for (name, text) in try Self.texts(of: batch, schema: schema) {
        let document = batch.first { $0.name == name }?.text ?? ""
        documents[name] = (schema, document, text)
        let line = ["seed": name, "schema": schema, "text": text]
        texts += try JSONSerialization.data(withJSONObject: line) + [UInt8(ascii: "\n")]
      }
      batch = []
    }
    for line in lines {
      let next = line["schema"] as? String ?? ""
      if next != schema { try compile() }
      schema = next
      let name = "Q\(line["seed"] as? Int ?? 0)Query"
      batch.append((name, line["document"] as? String ?? ""))
    }
    try compile()
    print("Sent texts: seed \(seed), \(count) documents, \(documents.count) accepted")
    #expect(documents.count > count / 3, "most documents are refused")
    for refused in try run(["validate"], input: texts) {
      let name = refused["seed"] as? String ?? ""
      let found = documents[name]
      let errors = (refused["errors"] as? [String])?.first ?? ""
      Issue.record(
        "\(name): \(errors)\n\(found?.text ?? "")\n\(found?.document ?? "")\n\(found?.schema ?? "")"
      )
    }
  }

  /// Compiles documents of one schema. Returns the sent documents of the accepted ones, by
  /// operation name.
  private static func texts(
    of documents: [(name: String, text: String)], schema: String
  ) throws -> [(name: String, text: String)] {
    let schema =
      schema.hasSuffix(".graphql")
      ? try ContiguousArray(Data(contentsOf: URL(fileURLWithPath: schema)))
      : ContiguousArray(schema.utf8)
    let sources = documents.map {
      CompilationInput.SourceFile(
        path: $0.name + ".graphql", bytes: ContiguousArray($0.text.utf8), output: $0.name + ".swift"
      )
    }
    let compilation = Compiler.compile(
      CompilationInput(
        sources: sources, schema: [Source(path: "schema.graphql", bytes: schema)],
        makesFiles: false))
    guard let transformed = compilation.stages.transformed else { return [] }
    let refused = Set(
      compilation.diagnostics.filter { $0.severity == .error }.flatMap { diagnostic in
        (diagnostic.locations + diagnostic.labels.map(\.span)).compactMap {
          compilation.workspace[$0.source]?.path
        }
      })
    let texts = OperationPrinter(program: transformed.sent)
    return transformed.sent.operations.compactMap { operation in
      let name = transformed.sent.symbols[operation.name.symbol]
      return refused.contains(name + ".graphql")
        ? nil : (name, texts.document(of: operation).text)
    }
  }

  /// Runs the program until it exits, and returns the objects that it prints.
  private func run(_ arguments: [String], input: Data) throws -> [[String: Any]] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sent-texts-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (inputFile, outputFile) = (
      folder.appendingPathComponent("in"), folder.appendingPathComponent("out")
    )
    try input.write(to: inputFile)
    try Data().write(to: outputFile)
    let process = Process()
    process.executableURL = Self.python
    let program = Self.package.appendingPathComponent("Tests/Integration/SentTexts").path
    process.arguments = ["-B", "-W", "ignore", program] + arguments
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "The program \(arguments) has failed.")
    return try Data(contentsOf: outputFile).split(separator: UInt8(ascii: "\n")).map {
      try JSONSerialization.jsonObject(with: $0) as? [String: Any] ?? [:]
    }
  }
}
