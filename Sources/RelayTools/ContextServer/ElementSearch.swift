import GraphQLLanguage

/// A search of a schema for types, members and directives whose names or descriptions match words.
struct ElementSearch {
  /// A kind of element that can be found.
  enum Kind: String, CaseIterable {
    case object, interface, union, `enum`, input, scalar, field, directive
    case inputField = "input_field"
    case enumValue = "enum_value"
  }

  /// An element of the schema.
  struct Item {
    let coordinate: String
    let kind: Kind
    let entry: ElementDescriptions.Entry
    /// The type itself, or the type of the field.
    var type: NamedType?
    var arguments: [SchemaInputValue] = []
  }

  private let query: String
  private let words: [String]
  private let kinds: Set<Kind>

  init(_ query: String, kinds: Set<Kind>) {
    self.query = query.lowercased()
    self.kinds = kinds
    words = self.query.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }

  /// Returns the elements that match all words, best first; if none does, those that match some.
  ///
  /// - Complexity: O(*n*) in the size of the schema with its descriptions.
  func results(in context: LanguageContext) -> [Item] {
    var all: [(item: Item, score: Int)] = []
    var some: [(item: Item, score: Int)] = []
    for item in Self.items(of: context) where kinds.contains(item.kind) {
      let (score, count) = score(of: item, context.symbols)
      if count == 0 { continue }
      if count == words.count { all.append((item, score)) } else { some.append((item, score)) }
    }
    return (all.isEmpty ? some : all).enumerated().sorted { left, right in
      left.element.score == right.element.score
        ? left.offset < right.offset : left.element.score > right.element.score
    }.map(\.element.item)
  }

  /// The lowercase strings of an element that are searched for words.
  private struct Words {
    let name: String
    let names: [String]
    let owner: String
    let owners: [String]
    let arguments: Set<String>
    let description: Set<String>
  }

  /// Returns how well an element matches, and how many words match.
  private func score(of item: Item, _ symbols: SymbolTable) -> (score: Int, count: Int) {
    let parts = item.coordinate.split(separator: ".").map(String.init)
    let owner = parts.count > 1 ? parts[0] : ""
    let description = (item.entry.description ?? "").lowercased()
    let texts = Words(
      name: (parts.last ?? "").lowercased(), names: Self.words(of: parts.last ?? ""),
      owner: owner.lowercased(), owners: Self.words(of: owner),
      arguments: Set(item.arguments.map { symbols[$0.symbol].lowercased() }),
      description: Set(
        description.split { !$0.isLetter && !$0.isNumber }.map(String.init)))
    let points = words.map { Self.points(of: $0, in: texts) }
    var score = points.reduce(0, +)
    if item.coordinate.lowercased() == query { score += 1_000 }
    // Types come before their members, and deprecated elements come last.
    if owner.isEmpty { score += 5 }
    if item.entry.directives.contains(where: { $0.name.symbol == .deprecated }) { score -= 20 }
    return (score, points.count { $0 > 0 })
  }

  private static func points(of word: String, in texts: Words) -> Int {
    let (name, names) = (texts.name, texts.names)
    if name == word || name == "@" + word { return 100 }
    if names.contains(word) { return 60 }
    if name.hasPrefix(word) { return 50 }
    if names.contains(where: { $0.hasPrefix(word) }) { return 40 }
    // The plural finds the singular, and vice versa.
    if word.count > 3, names.contains(where: { $0 + "s" == word || $0 == word + "s" }) { return 40 }
    if texts.owner == word || texts.owners.contains(word) { return 30 }
    if name.contains(word) { return 25 }
    if texts.description.contains(word) || texts.arguments.contains(word) { return 15 }
    return texts.owner.contains(word) ? 10 : 0
  }

  /// Returns the lowercase words of a name in camel case or with underscores.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var previous: Character = "_"
    for character in name {
      if character == "_" || character == "@" {
        previous = "_"
        continue
      }
      let begins = previous == "_" || (character.isUppercase && !previous.isUppercase)
      if begins { words.append("") }
      words[words.count - 1].append(character.lowercased())
      previous = character
    }
    return words
  }

  // MARK: Elements

  /// Returns the elements of a schema in its order, except elements built into GraphQL.
  private static func items(of context: LanguageContext) -> [Item] {
    let text = ElementDescriptions(context)
    let types = context.schema.types.filter { !$0.isBuiltIn }
    return types.flatMap { [item(of: $0, text)] + members(of: $0, text) }
      + context.directives.map {
        Item(
          coordinate: "@" + context.symbols[$0.symbol], kind: .directive, entry: text.entry(of: $0),
          arguments: $0.arguments.elements)
      }
  }

  private static func item(of type: NamedType, _ text: ElementDescriptions) -> Item {
    // Every kind except objects is named after its keyword.
    Item(
      coordinate: text.context.symbols[type.symbol],
      kind: Kind(rawValue: type.kind.keyword) ?? .object, entry: text.entry(of: type), type: type)
  }

  /// Returns the fields, input fields and values of a type.
  static func members(of type: NamedType, _ text: ElementDescriptions) -> [Item] {
    let (schema, symbols) = (text.context.schema, text.context.symbols)
    let owner = symbols[type.symbol]
    let fields = type.fields.map { field in
      Item(
        coordinate: "\(owner).\(symbols[field.symbol])", kind: .field,
        entry: text.entry(of: field, on: type), type: schema[field.type.named],
        arguments: field.arguments.elements)
    }
    let inputs = type.inputFields.map { field in
      let entry = text.entry(of: field)
      return Item(
        coordinate: "\(owner).\(symbols[field.symbol])", kind: .inputField,
        entry: .init(
          declaration: "\(owner).\(entry.declaration)", description: entry.description,
          directives: entry.directives), type: schema[field.type.named])
    }
    let values = type.enumValues.map { value in
      let entry = text.entry(of: value, on: type.symbol)
      return Item(coordinate: entry.declaration, kind: .enumValue, entry: entry)
    }
    return fields + inputs + values
  }
}
