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
    /// What the initializer takes where nothing is given: `.none` or `nil`; no value where it must be.
    let defaultValue: String?
    /// What the server is sent: a field that must not be null is sent where it is there.
    let sent: String
    /// The stored property, where that is not the one users see.
    let storage: String?

    /// The value inside the struct: code in it must not say what is deprecated.
    var stored: String { storage.map { isRecursive ? $0 + "[0]" : $0 } ?? property }
  }

  let fields: [Field]

  init(_ type: NamedType, types: SwiftTypes) {
    var taken: Set<String> = ["__fields", "__json", "hash", "hashValue"]
    fields = type.inputFields.map { field in
      let property = SwiftName.member(types.text(field.symbol), taken: taken)
      taken.insert(property)
      return Self.field(
        field, property: SwiftName.escaped(property), types: types,
        isRecursive: Self.reaches(type.id, from: field, schema: types.schema))
    }
  }

  private static func field(
    _ field: SchemaInputValue, property: String, types: SwiftTypes, isRecursive: Bool
  ) -> Field {
    let isHidden = isRecursive || field.deprecationReason != nil
    let storage = isHidden ? "__" + types.text(field.symbol) : nil
    // It may be left out, and must not be null.
    let isOptional = field.type.isNonNull && !field.isRequired
    let stored = storage.map { isRecursive ? $0 + "[0]" : $0 } ?? property
    return Field(
      definition: field, property: property,
      type: types.input(field.type) + (isOptional ? "?" : ""), isRecursive: isRecursive,
      defaultValue: field.isRequired ? nil : isOptional ? "nil" : ".none",
      sent: isOptional ? "GraphQLNullable(\(stored), ifNil: .none)" : stored, storage: storage)
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
