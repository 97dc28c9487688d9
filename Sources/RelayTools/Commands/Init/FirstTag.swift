import GraphQLFormatting
import GraphQLLanguage

/// A query for a project's first tag, built from fields that its schema has.
struct FirstTag {
  /// The query in canonical format, without a trailing line feed.
  let query: String

  /// The tag as written in a Swift file.
  var swift: String {
    let lines = query.split(separator: "\n").map { "  \($0)\n" }.joined()
    return "import RelayStore\n\nprivate let firstQuery = graphql(\n  \"\"\"\n\(lines)  \"\"\")\n"
  }

  /// Creates a query of the first field that needs no arguments, or else of the first field, with a
  /// variable for each required argument; `nil` if the query type has no fields.
  init?(_ schema: Schema) {
    guard let fields = schema.queryType?.fields, let field = Self.best(of: Array(fields)) else {
      return nil
    }
    let required = field.arguments.filter(\.isRequired)
    let names = required.map { schema.symbols[$0.symbol] }
    let variables = zip(names, required).map { "$\($0): \(schema.text(of: $1.type))" }
    let arguments = names.map { "\($0): $\($0)" }
    var text = "query FirstQuery"
    if !required.isEmpty { text += "(\(variables.joined(separator: ", ")))" }
    text += " { " + schema.symbols[field.symbol]
    if !required.isEmpty { text += "(\(arguments.joined(separator: ", ")))" }
    let type = schema[field.type.named]
    if type.isComposite { text += " { \(Self.leaf(of: type, in: schema)) }" }
    text += " }"
    guard let bytes = Formatting.format(ContiguousArray(text.utf8)) else { return nil }
    query = String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  private static func best(of fields: [SchemaField]) -> SchemaField? {
    fields.first { $0.deprecationReason == nil && !$0.arguments.contains(where: \.isRequired) }
      ?? fields.first { $0.deprecationReason == nil } ?? fields.first
  }

  /// The name of a field without a selection set, preferably one that says more than an id.
  private static func leaf(of type: NamedType, in schema: Schema) -> String {
    let leaves = type.fields.filter { field in
      schema[field.type.named].isLeaf && field.deprecationReason == nil
        && !field.arguments.contains(where: \.isRequired)
    }
    let leaf = leaves.first { schema.symbols[$0.symbol] != "id" } ?? leaves.first
    return leaf.map { schema.symbols[$0.symbol] } ?? "__typename"
  }
}
