import Foundation
import GraphQLLanguage
import SeededRandom
import Testing

@testable import RelayCompiler
@testable import RelayTools

/// The properties of the language features in every project, random or real.
struct LanguageProperties {
  let input: CompilationInput
  /// The name of the project in messages.
  let label: String

  init(_ input: CompilationInput, label: String) {
    self.input = input
    self.label = label
  }

  /// Hovers and completes at positions, and asks each file for its hints and folding ranges.
  ///
  /// - Parameter step: The distance between two positions in bytes.
  /// - Returns: The numbers of hovers and of completions found.
  func checkPositions(from first: Int = 0, step: Int = 1) -> (hovers: Int, completions: Int) {
    let session = Session(input)
    var counts = (hovers: 0, completions: 0)
    for source in input.sources {
      func isInside(_ range: FileRange) -> Bool {
        range.path == source.path && range.bytes.upperBound <= source.bytes.count
      }
      for offset in stride(from: first, through: source.bytes.count, by: step) {
        let position = FilePosition(path: source.path, offset: offset)
        if let hover = session.hover(at: position) {
          counts.hovers += 1
          #expect(isInside(hover.range) && hover.range.bytes.lowerBound <= offset)
        }
        let completions = session.completions(at: position)
        counts.completions += completions.count
        #expect(
          completions.allSatisfy {
            isInside($0.range)
              && ($0.range.bytes.lowerBound...$0.range.bytes.upperBound).contains(offset)
          }, "\(label): \(position)")
        checkRanges(at: position, in: session, isInside)
      }
      let whole = FileRange(path: source.path, bytes: 0..<source.bytes.count)
      #expect(session.inlayHints(in: whole).allSatisfy { $0.position.offset <= source.bytes.count })
      #expect(session.foldingRanges(in: source.path).allSatisfy(isInside))
      let tokens = session.semanticTokens(in: source.path).map(\.range)
      #expect(tokens.allSatisfy { isInside($0) && !$0.bytes.isEmpty })
      #expect(
        zip(tokens, tokens.dropFirst()).allSatisfy { $0.bytes.upperBound <= $1.bytes.lowerBound },
        "\(label): tokens of \(source.path) overlap")
    }
    return counts
  }

  /// Checks the highlights, the selection ranges and the signature at a position.
  private func checkRanges(
    at position: FilePosition, in session: Session, _ isInside: @escaping (FileRange) -> Bool
  ) {
    let ranges = session.selectionRanges(at: position)
    let found = ranges + session.highlights(at: position).map(\.range)
    #expect(found.filter { !isInside($0) } == [], "\(label): \(position)")
    let isNested = zip(ranges, ranges.dropFirst()).allSatisfy {
      $1.bytes.lowerBound <= $0.bytes.lowerBound && $0.bytes.upperBound <= $1.bytes.upperBound
        && $0 != $1
    }
    #expect(isNested, "\(label): \(position)")
    if let signature = session.signature(at: position) {
      #expect(signature.parameters.indices.contains(signature.active))
    }
  }

  /// Completes every name in a project without errors.
  ///
  /// - Returns: The number of names.
  func checkCompletions() -> Int {
    let session = Session(input)
    let context = session.languageContext
    var count = 0
    for document in session.names.files.flatMap(\.documents) {
      for occurrence in OccurrenceWalker.occurrences(in: document, context) {
        guard let range = session.fileRange(of: occurrence.span), !occurrence.isDefinition else {
          continue
        }
        if case .alias = occurrence.element { continue }
        // A fragment does not know the variables of operations that spread it.
        if case .variable(.fragment, _) = occurrence.element { continue }
        let name = session.workspace.text(of: occurrence.span)
        let position = FilePosition(path: range.path, offset: range.bytes.lowerBound)
        let found = session.completions(at: position).map(\.label)
        #expect(found.contains(name), "\(label): \(name) at \(range)")
        count += 1
      }
    }
    return count
  }

  /// Compares references with the results of a search at every position of some files.
  ///
  /// - Returns: The number of elements.
  func checkReferences(in files: [(path: String, bytes: ContiguousArray<UInt8>)]) -> Int {
    let session = Session(input)
    let context = session.languageContext
    var places: [LanguageElement: Set<FileRange>] = [:]
    for file in files {
      for offset in 0...file.bytes.count {
        let position = FilePosition(path: file.path, offset: offset)
        guard let occurrence = session.occurrence(at: position, context),
          let range = session.fileRange(of: occurrence.span)
        else { continue }
        places[occurrence.element, default: []].insert(range)
      }
    }
    let searched = Set(files.map(\.path))
    var count = 0
    for (element, expected) in places {
      if case .variable = element { continue }
      guard let any = expected.first else { continue }
      let position = FilePosition(path: any.path, offset: any.bytes.lowerBound)
      guard session.occurrence(at: position, context)?.element == element else { continue }
      let found = session.references(at: position, includesDefinitions: true)
        .filter { searched.contains($0.path) }
      #expect(Set(found) == expected && found.count == expected.count, "\(label): \(element)")
      count += 1
    }
    return count
  }

  /// Renames random definitions, variables and aliases of a project without errors, one after
  /// another, and compiles it after each.
  ///
  /// - Returns: The kinds of renamed elements.
  func checkRenames(_ count: Int, _ random: inout SeededGenerator) throws -> Set<String> {
    var input = input
    var renamed: Set<String> = []
    for step in 0..<count {
      let session = Session(input)
      let context = session.languageContext
      let all = session.names.files.flatMap(\.documents).flatMap {
        OccurrenceWalker.occurrences(in: $0, context)
      }
      guard
        let occurrence = all.filter({ $0.element.kind != nil }).randomElement(using: &random),
        let kind = occurrence.element.kind, let range = session.fileRange(of: occurrence.span)
      else { continue }
      let position = FilePosition(path: range.path, offset: range.bytes.lowerBound)
      let edits: [FileEdit]
      do { edits = try session.rename(at: position, to: "Renamed\(step)") } catch {
        // A fragment that no operation spreads may use an undefined variable.
        if case .variable(.fragment, _) = occurrence.element { continue }
        #expect(error.message.contains("already"), "\(label): \(error.message)")
        continue
      }
      #expect(!edits.isEmpty)
      renamed.insert(kind)
      input.apply(edits)
      let compilation = Compiler.compile(input)
      let report = DiagnosticRenderer(compilation.workspace).text(compilation.diagnostics)
      #expect(!compilation.diagnostics.hasErrors, "\(label), \(occurrence.element)\n\(report)")
      if compilation.diagnostics.hasErrors { return renamed }
    }
    return renamed
  }

  /// Applies actions offered at names in a random order, each to the original project, and compiles
  /// the result.
  ///
  /// - Parameter count: The largest number of actions.
  /// - Returns: The prefixes of the applied actions' titles.
  func checkCodeActions(_ count: Int, _ random: inout SeededGenerator) -> Set<String> {
    let session = Session(input)
    let context = session.languageContext
    let ranges = session.names.files.flatMap(\.documents).flatMap { document in
      let names = OccurrenceWalker.occurrences(in: document, context)
        .compactMap { session.fileRange(of: $0.span) }.filter { !$0.bytes.isEmpty }
        .sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
      return names.indices.flatMap { index in
        let start = names[index].bytes.lowerBound
        let last = min(names.count - 1, index + .random(in: 0...3, using: &random))
        // At the start of a name, and from there to the end of a name.
        return [start, max(start, names[last].bytes.upperBound)].map {
          FileRange(path: names[index].path, bytes: start..<$0)
        }
      }
    }
    let actions = ranges.shuffled(using: &random).lazy.flatMap { range in
      session.codeActions(in: range).map { (range, $0) }
    }
    var applied: Set<String> = []
    for (range, action) in actions.prefix(count) {
      var changed = input
      changed.apply(action.edits)
      let compilation = Compiler.compile(changed)
      let report = DiagnosticRenderer(compilation.workspace).text(compilation.diagnostics)
      #expect(
        !compilation.diagnostics.hasErrors, "\(label), \(action.title) at \(range)\n\(report)")
      applied.insert(action.title.split(separator: "\"").first.map(String.init) ?? "")
    }
    return applied
  }
}

extension CompilationInput {
  /// Applies edits to the sources, the modules' sources, and the schema extensions.
  fileprivate mutating func apply(_ edits: [FileEdit]) {
    func edited(_ bytes: ContiguousArray<UInt8>, of path: String) -> ContiguousArray<UInt8> {
      var bytes = bytes
      let own = edits.filter { $0.range.path == path }
      for edit in own.sorted(by: { $0.range.bytes.lowerBound > $1.range.bytes.lowerBound }) {
        bytes.replaceSubrange(edit.range.bytes, with: edit.text.utf8)
      }
      return bytes
    }
    sources = sources.map { $0.with(edited($0.bytes, of: $0.path)) }
    modules = modules.map { module in
      ImportedModule(
        name: module.name, sources: module.sources.map { $0.with(edited($0.bytes, of: $0.path)) },
        schemaModule: module.schemaModule)
    }
    extensions = extensions.map { Source(path: $0.path, bytes: edited($0.bytes, of: $0.path)) }
  }
}

extension LanguageElement {
  /// The kind of an element that can be renamed.
  fileprivate var kind: String? {
    switch self {
    case .fragment: "fragment"
    case .operation: "operation"
    case .variable: "variable"
    case .fragmentVariable: "fragmentVariable"
    case .alias: "alias"
    default: nil
    }
  }
}
