import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler

/// Compares the sent program with the normalization program that stores the response.
@Suite("Sent and normalized selections", .timeLimit(.minutes(1)))
struct SentAndNormalizedTests {
  @Test(
    "the operation text selects every normalized field", arguments: GoldenTests.cases("transforms"))
  func golden(name: String) throws {
    let folder = GoldenTests.folder
    let checked = try check(
      schema: folder.appendingPathComponent("schema.graphql"),
      documents: [folder.appendingPathComponent(name + ".graphql")])
    #expect(checked > 0)
  }

  @Test(
    "the operation text selects every normalized field of real documents",
    arguments: RealProject.own + RealProject.applications)
  func real(project: RealProject) throws {
    guard project.exists else { return }
    let folder = URL(fileURLWithPath: project.documents)
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { ["swift", "graphql"].contains($0.pathExtension) }
    let checked = try check(
      schema: URL(fileURLWithPath: project.schema),
      documents: try #require(files).sorted { $0.path < $1.path })
    // This project only has fragments.
    #expect(checked > 0 || project.testDescription == "relay-examples-newsfeed")
  }

  /// Compares the operations of documents in GraphQL files or Swift files with tags.
  ///
  /// - Returns: The number of operations.
  private func check(schema schemaFile: URL, documents: [URL]) throws -> Int {
    let workspace = Workspace()
    func parse(_ file: URL) throws -> [Document] {
      let bytes = try ContiguousArray(Data(contentsOf: file))
      let texts =
        file.pathExtension == "swift" ? TagScanner.scan(bytes).tags.map(\.document) : [bytes]
      return texts.map {
        workspace.parse(Source(path: file.lastPathComponent, bytes: $0)).document
      }
    }
    let schema = Schema.build(from: try parse(schemaFile), in: workspace)
    let written = try documents.flatMap(parse)
    let refetch = RefetchQueries(written, schema: schema, in: workspace).document
    let program = Lowering.program(of: written + [refetch], schema: schema)
    var diagnostics: [Diagnostic] = []
    let pipeline = TransformedPrograms(program, diagnostics: &diagnostics)
    let texts = OperationPrinter(program: pipeline.sent)
    for (sent, stored) in zip(pipeline.sent.operations, pipeline.normalization.operations) {
      let text = texts.document(of: sent).text
      let parsed = workspace.parse(Source(path: "text", text))
      #expect(parsed.diagnostics == [])
      #expect(schema.validate([parsed.document], mode: .specification) == [], "\(text)")
      let lowered = Lowering.program(of: [parsed.document], schema: schema)
      let expanded = ExpandSpreads.apply(to: lowered, diagnostics: &diagnostics)
      let flat = Flatten.apply(
        to: expanded, for: .plan, expandsSpreads: true, diagnostics: &diagnostics)
      let missing = missing(
        in: ObjectLayout(flat.operations[0].selections, on: stored.root, schema: schema),
        of: ObjectLayout(stored.selections, on: stored.root, schema: schema), schema: schema)
      #expect(missing == [], "\(text)")
      let unasked = discriminators(
        in: ObjectLayout(flat.operations[0].selections, on: stored.root, schema: schema),
        without: ObjectLayout(stored.selections, on: stored.root, schema: schema), schema: schema)
      #expect(unasked == [], "\(text)")
    }
    #expect(diagnostics == [])
    return pipeline.sent.operations.count
  }

  private func isDiscriminator(_ field: IR.Field, in schema: Schema) -> Bool {
    field.name == .typename && schema.symbols[field.responseKey].hasPrefix("__is")
  }

  /// Finds the discriminators that a sent document requests and the stored layout does not have.
  private func discriminators(
    in sent: ObjectLayout, without stored: ObjectLayout, schema: Schema
  ) -> [String] {
    var result: [String] = []
    for slot in sent.slots {
      guard case .field(let field) = slot.content else { continue }
      let same = stored.slots.compactMap { slot -> IR.Field? in
        guard case .field(let other) = slot.content, other.responseKey == field.responseKey else {
          return nil
        }
        return other
      }
      if isDiscriminator(field, in: schema), same.isEmpty {
        result.append(schema.symbols[field.responseKey])
      }
      if field.selections.isEmpty || same.isEmpty { continue }
      let inner = same.flatMap(\.selections)
      result += discriminators(
        in: ObjectLayout(field.selections, on: field.type.named, schema: schema),
        without: ObjectLayout(inner, on: field.type.named, schema: schema), schema: schema
      ).map { schema.symbols[field.responseKey] + "." + $0 }
    }
    return result
  }

  /// Finds the response keys that the object's layout `stored` has and `sent` is missing.
  private func missing(
    in sent: ObjectLayout, of stored: ObjectLayout, schema: Schema
  ) -> [String] {
    var result: [String] = []
    for slot in stored.slots {
      guard case .field(let field) = slot.content else { continue }
      let types = stored.scopes[slot.scope].types
      let match = sent.slots.first { candidate in
        guard case .field(let other) = candidate.content, other.responseKey == field.responseKey,
          slot.condition.implies(candidate.condition)
        else { return false }
        // A discriminator says that an object satisfies a type, regardless of the conditions around
        // it.
        if isDiscriminator(field, in: schema) { return true }
        return sent.scopes[candidate.scope].types.allSatisfy { outer in
          types.contains { schema.isSubtype($0, of: outer) }
            && candidate.covers(field, schema: schema)
        }
      }
      guard let match, case .field(let other) = match.content else {
        result.append(schema.symbols[field.responseKey])
        continue
      }
      if field.selections.isEmpty { continue }
      result += missing(
        in: ObjectLayout(other.selections, on: field.type.named, schema: schema),
        of: ObjectLayout(field.selections, on: field.type.named, schema: schema), schema: schema
      ).map { schema.symbols[field.responseKey] + "." + $0 }
    }
    return result
  }
}

extension ObjectLayout.Slot {
  /// Whether this field's selection set has at least the response keys of `other`'s.
  fileprivate func covers(_ other: IR.Field, schema: Schema) -> Bool {
    guard case .field(let field) = content else { return false }
    func keys(_ selections: [IR.Selection]) -> Set<Symbol> {
      Set(
        selections.flatMap { selection -> [Symbol] in
          switch selection.content {
          case .field(let field): [field.responseKey]
          case .inlineFragment(let fragment): Array(keys(fragment.selections))
          case .spread: []
          }
        })
    }
    return keys(field.selections).isSuperset(of: keys(other.selections))
  }
}
