import GraphQLLanguage

extension ElementSearch {
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

    /// The name of the type that has the member; empty for types and directives.
    var owner: Substring {
      coordinate.firstIndex(of: ".").map { coordinate[..<$0] } ?? ""
    }
    /// The element's own name.
    var name: Substring {
      coordinate.firstIndex(of: ".").map { coordinate[coordinate.index(after: $0)...] }
        ?? coordinate[...]
    }
  }

  /// Returns the elements of a schema in its order, except elements built into GraphQL.
  static func items(of context: LanguageContext) -> [Item] {
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
