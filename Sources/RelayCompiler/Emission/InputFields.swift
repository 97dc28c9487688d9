import GraphQLLanguage

/// The fields of an input type with their Swift names and types.
struct InputFields {
  struct Field {
    let definition: SchemaInputValue
    /// The property's name, in backticks where needed.
    let property: String
    /// A field with a default in the schema may be left out, although it must not be null.
    let type: String
    /// Whether a value of the field may hold another value of the same struct without an array
    /// between them.
    let isRecursive: Bool
  }

  let fields: [Field]

  init(_ type: NamedType, types: SwiftTypes) {
    var taken: Set<String> = ["__fields", "__json", "hash", "hashValue"]
    fields = type.inputFields.map { field in
      let property = SwiftName.member(types.text(field.symbol), taken: taken)
      taken.insert(property)
      return Field(
        definition: field, property: SwiftName.escaped(property),
        type: types.input(field.isRequired ? field.type : field.type.nullable),
        isRecursive: Self.reaches(type.id, from: field, schema: types.schema))
    }
  }

  /// Whether values of `target` may be inside a value of the field without an array around them.
  private static func reaches(
    _ target: TypeID, from field: SchemaInputValue, schema: Schema
  ) -> Bool {
    var seen: Set<TypeID> = []
    var queue = [field]
    while let next = queue.popLast() {
      if next.type.isList || schema[next.type.named].kind != .inputObject { continue }
      if next.type.named == target { return true }
      if seen.insert(next.type.named).inserted { queue += schema[next.type.named].inputFields }
    }
    return false
  }
}
