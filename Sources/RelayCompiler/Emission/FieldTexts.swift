import GraphQLLanguage

/// What stands above the properties of fields, which many structs have: made once for each field of the schema.
final class FieldTexts {
  struct Entry {
    /// The lines of the documentation comment.
    let comments: [String]
    /// Why the field should not be used.
    let deprecationReason: String?

    static let none = Entry(comments: [], deprecationReason: nil)
  }

  private struct Key: Hashable {
    let owner: TypeID
    let field: Symbol
  }

  private var known: [Key: Entry] = [:]

  func entry(of field: Symbol, on owner: TypeID, in schema: Schema) -> Entry {
    let key = Key(owner: owner, field: field)
    if let entry = known[key] { return entry }
    let definition = schema.field(named: field, on: schema[owner])
    let entry = Entry(
      comments: SwiftText.commentLines(definition?.description ?? "", limit: 1),
      deprecationReason: definition?.deprecationReason)
    known[key] = entry
    return entry
  }
}
