import GraphQLLanguage
import RelayCompiler

/// The uses of schema elements by a project's documents, and by the Swift code that reads them.
///
/// Operations are checked as they are sent. This type finds their elements in the documents as they
/// are written.
struct ProjectUses {
  private let uses: OperationUses
  private let schema: Schema
  private let renderer: DiagnosticRenderer
  private let types: SwiftTypes?
  private let reads: SwiftReads
  /// The indices in ``uses`` by element.
  private let elements: [ElementUse: [Int]]
  /// The indices in ``uses`` of the selections of a field, by name.
  private let fields: [Symbol: [Int]]

  init(_ compilation: Compilation, sources: [CompilationInput.SourceFile]) {
    let schema = compilation.stages.validated.schema.schema
    let uses = OperationUses(
      ofDefinitionsIn: compilation.stages.parsed.documents, schema: schema)
    (self.uses, self.schema) = (uses, schema)
    renderer = DiagnosticRenderer(compilation.workspace)
    types = compilation.stages.types
    reads = SwiftReads(sources)
    elements = Dictionary(grouping: uses.uses.indices) { uses.uses[$0].element }
    fields = Dictionary(
      grouping: uses.uses.indices.filter { uses.uses[$0].element.fieldName != nil }
    ) { uses.uses[$0].element.fieldName ?? .empty }
  }

  /// Returns the locations in the documents that an effect on an operation comes from. For an
  /// element that the compiler added, this is the operation itself.
  func places(
    of effect: OperationCheck.Effect, in operation: CheckedOperation
  ) -> [SourceLocation] {
    let found = uses(of: effect, in: operation)
    let indices = found.isEmpty ? definition(of: operation) : found
    return unique(indices.compactMap { renderer.location(of: uses.uses[$0].span) })
  }

  /// Returns the lines of Swift code that read the fields of an effect.
  func reads(
    of effect: OperationCheck.Effect, in operation: CheckedOperation
  ) -> [SourceLocation] {
    let found = uses(of: effect, in: operation).flatMap { index -> [SourceLocation] in
      let use = uses.uses[index]
      guard use.element.fieldName != nil, let key = uses.responseKeys[use.span],
        let place = renderer.location(of: use.span)
      else { return [] }
      let name = schema.symbols[use.definition]
      let type = types?.operations[use.definition] ?? types?.fragments[use.definition] ?? name
      return reads.locations(
        reading: SwiftName.member(schema.symbols[key], taken: []), of: type, or: place.path)
    }
    return unique(found)
  }

  private func uses(
    of effect: OperationCheck.Effect, in operation: CheckedOperation
  ) -> [Int] {
    let names = operation.definitionNames
    func isSent(_ index: Int) -> Bool { names.contains(uses.uses[index].definition) }
    var found: [Int] = []
    for element in Set(effect.uses.map(\.element)) {
      let all = elements[element] ?? []
      let sent = all.filter(isSent)
      if !sent.isEmpty {
        found += sent
      } else {
        let related = related(to: element).filter(isSent)
        found += related.isEmpty ? all : related
      }
    }
    return found.sorted()
  }

  /// Returns the selections of the same field on types that share objects. The compiler may select
  /// a field on another type than the document does.
  private func related(to element: ElementUse) -> [Int] {
    guard case .field(let owner, let name) = element, let type = schema.type(named: owner) else {
      return []
    }
    return (fields[name] ?? []).filter { index in
      guard case .field(let other, _) = uses.uses[index].element,
        let other = schema.type(named: other)
      else { return false }
      return schema.doTypesOverlap(type, other)
    }
  }

  private func definition(of operation: CheckedOperation) -> [Int] {
    guard let symbol = schema.symbols.find(operation.name) else { return [] }
    let roots = OperationType.allCases.flatMap { elements[.root($0)] ?? [] }
    return roots.filter { uses.uses[$0].definition == symbol }
  }

  private func unique(_ places: [SourceLocation]) -> [SourceLocation] {
    var seen: Set<SourceLocation> = []
    return places.filter { seen.insert($0).inserted }
  }
}

extension ElementUse {
  /// The name of a selected field; `nil` for other elements.
  fileprivate var fieldName: Symbol? {
    if case .field(_, let name) = self { name } else { nil }
  }
}
