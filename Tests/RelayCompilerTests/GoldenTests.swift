import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler

/// Compares the compiler's output for `Golden/**/*.graphql` with the expected files next to them.
/// To accept the current output, run:
///
///     UPDATE_GOLDEN=1 swift test --filter Golden
@Suite("Golden files", .timeLimit(.minutes(1)))
struct GoldenTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  static func cases(_ name: String) -> [String] {
    let files =
      (try? FileManager.default.contentsOfDirectory(
        atPath: folder.appendingPathComponent(name).path)) ?? []
    return files.filter { $0.hasSuffix(".graphql") }.sorted().map { name + "/" + $0.dropLast(8) }
  }

  @Test("the transformed programs match the golden file", arguments: cases("transforms"))
  func transforms(name: String) throws {
    let workspace = Workspace()
    let extensions = try parse("extensions", in: workspace)
    let schema = Schema.build(
      from: [try parse("schema", in: workspace), extensions], in: workspace)
    let document = try parse(name, in: workspace)
    var diagnostics = schema.validate([document], mode: .relay)
    let refetch = RefetchQueries([document], schema: schema, in: workspace)
    diagnostics += refetch.diagnostics
    let program = Lowering.program(
      of: [document, refetch.document], schema: schema, clientSources: [extensions.source])
    let programs = TransformedPrograms(program, diagnostics: &diagnostics)
    #expect(diagnostics == [])
    try compare(description(of: programs), with: name + ".txt")
  }

  @Test("the generated Swift matches the golden file", arguments: cases("swift"))
  func swift(name: String) throws {
    let compilation = try compile(name)
    #expect(compilation.diagnostics == [])
    try compare(compilation.files.map(\.text).joined(separator: "\n"), with: name + ".swift.txt")
  }

  @Test("the same input generates the same bytes", arguments: cases("swift"))
  func deterministic(name: String) throws {
    #expect(try compile(name).files == compile(name).files)
  }

  // MARK: Helpers

  private func parse(_ name: String, in workspace: Workspace) throws -> Document {
    let parsed = workspace.parse(Source(path: name, bytes: try bytes(name + ".graphql")))
    #expect(parsed.diagnostics == [])
    return parsed.document
  }

  private func bytes(_ name: String) throws -> ContiguousArray<UInt8> {
    try ContiguousArray(Data(contentsOf: Self.folder.appendingPathComponent(name)))
  }

  private func compile(_ name: String) throws -> Compilation {
    let file = name.split(separator: "/").last.map(String.init) ?? name
    return Compiler.compile(
      CompilationInput(
        sources: [
          .init(
            path: file + ".graphql", bytes: try bytes(name + ".graphql"), output: file + ".swift")
        ],
        schema: [Source(path: "schema.graphql", bytes: try bytes("schema.graphql"))],
        extensions: [Source(path: "extensions.graphql", bytes: try bytes("extensions.graphql"))],
        options: EmissionOptions(customScalarTypes: ["Moment": "Foundation.Date"])))
  }

  private func compare(_ text: String, with name: String) throws {
    let file = Self.folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    let pairs = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
    if let difference = pairs.first(where: { $0 != $1 }) {
      Issue.record("\(name): \"\(difference.0)\" was expected to be \"\(difference.1)\".")
    }
    #expect(text.utf8.count == expected.utf8.count, "\(name) is longer or shorter than expected.")
  }

  /// Describes the transformed programs, with one definition on each line.
  private func description(of programs: TransformedPrograms) -> String {
    let symbols = programs.reader.symbols
    let plans = PlanPrinter(schema: programs.reader.schema, uses: VariableUses(programs.reader))
    let texts = OperationPrinter(program: programs.sent)
    var lines: [String] = []
    func add(_ title: String, _ program: IR.Program) {
      lines.append("# \(title)")
      for operation in program.operations {
        lines.append(
          symbols[operation.name.symbol] + " "
            + plans.plan(operation.selections, on: operation.root).text)
      }
      for fragment in program.fragments {
        lines.append(
          symbols[fragment.name] + " " + plans.plan(fragment).text)
      }
    }
    add("reader", programs.reader)
    lines.append("# text")
    lines += programs.sent.operations.map { texts.document(of: $0).text }
    add("normalization", programs.normalization)
    return lines.joined(separator: "\n") + "\n"
  }
}
