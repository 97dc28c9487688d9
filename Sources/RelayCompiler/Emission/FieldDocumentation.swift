import GraphQLLanguage

/// The documentation comments and deprecations of field properties. Memoized per schema field,
/// because many structs contain the same field.
final class FieldDocumentation {
  struct Entry {
    /// The lines of the documentation comment.
    let comments: [String]
    /// The deprecation reason in the schema; `nil` when the field is not deprecated.
    let deprecationReason: String?

    static let none = Entry(comments: [], deprecationReason: nil)
  }

  private struct Key: Hashable {
    let owner: TypeID
    let field: Symbol
  }

  private var cache: [Key: Entry] = [:]

  func entry(of field: Symbol, on owner: TypeID, in schema: Schema) -> Entry {
    let key = Key(owner: owner, field: field)
    if let entry = cache[key] { return entry }
    let definition = schema.field(named: field, on: schema[owner])
    let entry = Entry(
      comments: SwiftEscaping.commentLines(definition?.description ?? "", limit: 1),
      deprecationReason: definition?.deprecationReason)
    cache[key] = entry
    return entry
  }
}
