import Foundation
import GraphQLLanguage
import SeededRandom
import Testing

@testable import RelayCompiler

@Suite("Language of random projects", .timeLimit(.minutes(10)))
struct LanguagePropertyTests {
  private static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["RELAYSTORE_SEED"].flatMap { UInt64($0) } ?? 1
    return Array(first..<first + (environment["RELAYSTORE_SESSIONS"].flatMap { UInt64($0) } ?? 6))
  }()

  @Test("every position can be asked about, and what is answered is in its file", arguments: seeds)
  func everyPosition(seed: UInt64) {
    var project = SessionProject(seed: seed)
    for _ in 0..<4 { project.edit() }
    let session = Session(project.input)
    var counts = (hovers: 0, completions: 0)
    for source in project.input.sources {
      func isInside(_ range: FileRange) -> Bool {
        range.path == source.path && range.bytes.upperBound <= source.bytes.count
      }
      for offset in 0...source.bytes.count {
        let position = FilePosition(path: source.path, offset: offset)
        if let hover = session.hover(at: position) {
          counts.hovers += 1
          #expect(isInside(hover.range) && hover.range.bytes.lowerBound <= offset)
        }
        let completions = session.completions(at: position)
        counts.completions += completions.count
        #expect(completions.allSatisfy { isInside($0.range) })
      }
      let whole = FileRange(path: source.path, bytes: 0..<source.bytes.count)
      #expect(session.inlayHints(in: whole).allSatisfy { $0.position.offset <= source.bytes.count })
      #expect(session.foldingRanges(in: source.path).allSatisfy(isInside))
    }
    #expect(counts.hovers > 100 && counts.completions > 1000, "seed \(seed)")
  }

  @Test("completion offers every name that a valid document has", arguments: seeds)
  func completesWhatIsWritten(seed: UInt64) {
    let session = validSession(seed)
    let context = session.languageContext
    var count = 0
    for document in session.names.files.flatMap(\.documents) {
      for occurrence in OccurrenceWalker.occurrences(in: document, context) {
        guard let range = session.fileRange(of: occurrence.span), !occurrence.isDefinition else {
          continue
        }
        if case .alias = occurrence.element { continue }
        // A variable of the operation that spreads the fragment is not known in the fragment.
        if case .variable(.fragment, _) = occurrence.element { continue }
        let name = session.workspace.text(of: occurrence.span)
        let position = FilePosition(path: range.path, offset: range.bytes.lowerBound)
        let found = session.completions(at: position).map(\.label)
        #expect(found.contains(name), "seed \(seed): \(name) at \(range)")
        count += 1
      }
    }
    #expect(count > 30, "seed \(seed)")
  }

  @Test("references are those that a search at every position finds", arguments: seeds.prefix(3))
  func references(seed: UInt64) {
    let session = Session(SessionProject(seed: seed).input)
    let context = session.languageContext
    // The element of each position, found one by one.
    var places: [LanguageElement: Set<FileRange>] = [:]
    for (path, text) in session.input.sources.map({ ($0.path, $0.bytes) })
      + [("schema.graphql", ContiguousArray(SessionProject.schema.utf8))]
      + session.input.modules.flatMap(\.sources).map({ ($0.path, $0.bytes) })
      + session.input.extensions.map({ ($0.path, $0.bytes) })
    {
      for offset in 0...text.count {
        let position = FilePosition(path: path, offset: offset)
        guard let occurrence = session.occurrence(at: position, context),
          let range = session.fileRange(of: occurrence.span)
        else { continue }
        places[occurrence.element, default: []].insert(range)
      }
    }
    var count = 0
    for (element, expected) in places {
      if case .variable = element { continue }
      guard let any = expected.first else { continue }
      let position = FilePosition(path: any.path, offset: any.bytes.lowerBound)
      guard session.occurrence(at: position, context)?.element == element else { continue }
      let found = session.references(at: position, includesDefinitions: true)
      #expect(Set(found) == expected && found.count == expected.count, "seed \(seed): \(element)")
      count += 1
    }
    #expect(count > 20, "seed \(seed)")
  }

  @Test("a renamed definition, variable or alias leaves a valid project valid", arguments: seeds)
  func renames(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var input = validSession(seed).input
    var renamed: Set<String> = []
    for step in 0..<25 {
      let session = Session(input)
      let context = session.languageContext
      let all = session.names.files.flatMap(\.documents).flatMap {
        OccurrenceWalker.occurrences(in: $0, context)
      }
      guard
        let occurrence = all.filter({ session.canRename($0, context) }).randomElement(
          using: &random),
        let range = session.fileRange(of: occurrence.span)
      else { continue }
      let position = FilePosition(path: range.path, offset: range.bytes.lowerBound)
      let edits: [FileEdit]
      do { edits = try session.rename(at: position, to: "Renamed\(step)") } catch {
        #expect(error.message.contains("already"))
        continue
      }
      #expect(!edits.isEmpty)
      renamed.insert(occurrence.element.kind)
      input.sources = input.sources.map { source in
        .init(
          path: source.path, bytes: edited(source.bytes, of: source.path, by: edits),
          output: source.output)
      }
      input.modules = input.modules.map { module in
        ImportedModule(
          name: module.name,
          sources: module.sources.map { source in
            .init(
              path: source.path, bytes: edited(source.bytes, of: source.path, by: edits),
              output: source.output)
          }, schemaModule: module.schemaModule)
      }
      input.extensions = input.extensions.map {
        Source(path: $0.path, bytes: edited($0.bytes, of: $0.path, by: edits))
      }
      let compilation = Compiler.compile(input)
      let report = DiagnosticRenderer(compilation.workspace).text(compilation.diagnostics)
      #expect(
        !compilation.diagnostics.hasErrors, "seed \(seed), \(occurrence.element)\n\(report)")
      if compilation.diagnostics.hasErrors { return }
    }
    print("renamed, seed \(seed): \(renamed.sorted().joined(separator: " "))")
    #expect(renamed.count > 2, "seed \(seed)")
  }

  private func edited(
    _ bytes: ContiguousArray<UInt8>, of path: String, by edits: [FileEdit]
  ) -> ContiguousArray<UInt8> {
    var bytes = bytes
    let own = edits.filter { $0.range.path == path }
    for edit in own.sorted(by: { $0.range.bytes.lowerBound > $1.range.bytes.lowerBound }) {
      bytes.replaceSubrange(edit.range.bytes, with: edit.text.utf8)
    }
    return bytes
  }

  /// Returns a session over a project without errors.
  private func validSession(_ seed: UInt64) -> Session {
    var project = SessionProject(seed: seed, mistakes: 0)
    var session = Session(project.input)
    for _ in 0..<100 where session.diagnostics.hasErrors {
      project.edit()
      session.update(project.input)
    }
    let report = DiagnosticRenderer(session.workspace).text(session.diagnostics)
    #expect(!session.diagnostics.hasErrors, "seed \(seed)\n\(report)")
    return session
  }
}

extension Session {
  fileprivate func canRename(_ occurrence: Occurrence, _ context: LanguageContext) -> Bool {
    switch occurrence.element {
    case .fragment, .operation, .variable, .fragmentVariable, .alias: true
    default: false
    }
  }
}

extension LanguageElement {
  fileprivate var kind: String {
    switch self {
    case .fragment: "fragment"
    case .operation: "operation"
    case .variable: "variable"
    case .fragmentVariable: "fragmentVariable"
    case .alias: "alias"
    default: "other"
    }
  }
}
