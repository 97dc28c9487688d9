import GraphQLLanguage

extension SchemaIndex {
  /// Returns the bytes of an index for a valid schema.
  ///
  /// - Parameters:
  ///   - source: The schema's SDL.
  ///   - document: The document parsed from `source`.
  ///   - schema: The schema built from `document`.
  package static func bytes(
    of source: ContiguousArray<UInt8>, document: Document, schema: Schema
  ) -> ContiguousArray<UInt8> {
    SchemaIndexBuilder(document, schema: schema).bytes(source)
  }
}

/// The contents of an index under construction; ``SchemaIndex`` describes the format.
private struct SchemaIndexBuilder {
  private let schema: Schema
  private var names: [String: UInt32] = [:]
  private var sortedNames: [String] = []
  private var types: [Symbol: UInt32] = [:]
  private var order: [Symbol] = []
  /// The definition of each type, followed by its extensions.
  private var definitions: [Symbol: [TypeDefinition]] = [:]
  private var always: [UInt32] = []
  private var roots: Set<UInt32> = []

  init(_ document: Document, schema: Schema) {
    self.schema = schema
    var all: Set<String> = []
    for case .type(let type) in document.definitions {
      if definitions[type.name.symbol] == nil { order.append(type.name.symbol) }
      definitions[type.name.symbol, default: []].append(type)
      all.insert(text(type.name))
      for field in type.fields { all.insert(text(field.name)) }
      for field in type.inputFields { all.insert(text(field.name)) }
    }
    sortedNames = all.sorted(byText: \.self)
    for (index, name) in sortedNames.enumerated() { names[name] = UInt32(index) }
    for (index, symbol) in order.enumerated() { types[symbol] = UInt32(index) }
    for definition in document.definitions { addAlways(definition) }
    for type in [schema.queryType, schema.mutationType, schema.subscriptionType] {
      if let type, let index = types[type.symbol] { roots.insert(index) }
    }
  }

  private func text(_ name: Name) -> String { schema.symbols[name.symbol] }

  private mutating func addAlways(_ definition: Definition) {
    switch definition {
    case .directive(let directive):
      for argument in directive.arguments {
        if let index = types[argument.type.name.symbol] { roots.insert(index) }
      }
    case .schema: break
    default: return
    }
    always += [definition.span.start, definition.span.end]
  }

  func bytes(_ source: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    var words = [UInt32](repeating: 0, count: SchemaIndex.headerCount)
    var texts: [UInt8] = []
    for name in sortedNames {
      let type = schema.symbols.find(name).flatMap { types[$0] } ?? .max
      words += [UInt32(texts.count), UInt32(name.utf8.count), type]
      texts += name.utf8
    }
    let entryOffsets = words.count
    words += [UInt32](repeating: 0, count: order.count)
    append(roots.sorted(), to: &words)
    append(always, to: &words)
    for (index, symbol) in order.enumerated() {
      words[entryOffsets + index] = UInt32(words.count)
      appendEntry(symbol, to: &words)
    }
    while texts.count % 8 != 0 { texts.append(0) }
    let textStart = words.count * 4 + source.count
    let values = [
      SchemaIndex.magic, UInt32(textStart + texts.count), UInt32(words.count),
      UInt32(source.count), UInt32(sortedNames.count), UInt32(order.count),
    ]
    words.replaceSubrange(0..<values.count, with: values)
    var result = ContiguousArray<UInt8>()
    words.withUnsafeBytes { result.append(contentsOf: $0) }
    result.append(contentsOf: source)
    result.append(contentsOf: texts)
    let checksum = SchemaIndex.checksum(of: result, words: words.count, textStart: textStart)
    withUnsafeBytes(of: checksum) { result.replaceSubrange(24..<28, with: $0) }
    return result
  }

  private func append(_ list: [UInt32], to words: inout [UInt32]) {
    words.append(UInt32(list.count))
    words += list
  }

  private func appendEntry(_ symbol: Symbol, to words: inout [UInt32]) {
    let definitions = definitions[symbol] ?? []
    let isInput = definitions.first?.kind == .inputObject
    words.append(isInput ? 1 : 0)
    append(
      definitions.flatMap { definition in
        let span = definition.span
        return [span.start, definition.fields.first?.span.start ?? span.end, span.end]
      }, to: &words)
    let subtypes = schema.type(named: symbol).map { type -> [TypeID] in
      type.isAbstract
        ? schema.possibleTypes(of: type) + schema.implementingInterfaces(of: type) : []
    }
    append((subtypes ?? []).compactMap { types[schema[$0].symbol] }, to: &words)
    words.append(UInt32(definitions.reduce(0) { $0 + $1.fields.count + $1.inputFields.count }))
    for (index, definition) in definitions.enumerated() {
      for field in definition.fields {
        let reached = [field.type.name] + field.arguments.map(\.type.name)
        appendField(field.name, span: field.span, definition: index, types: reached, to: &words)
      }
      for field in definition.inputFields {
        appendField(
          field.name, span: field.span, definition: index, types: [field.type.name], to: &words)
      }
    }
  }

  private func appendField(
    _ name: Name, span: Span, definition: Int, types reached: [Name], to words: inout [UInt32]
  ) {
    let isImplied = text(name).hasPrefix(SchemaIndex.impliedPrefix)
    append(
      [names[text(name)] ?? 0, span.start, span.end, UInt32(definition), isImplied ? 1 : 0]
        + reached.compactMap { types[$0.symbol] }, to: &words)
  }
}
