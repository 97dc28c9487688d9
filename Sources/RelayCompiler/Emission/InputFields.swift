import GraphQLLanguage

/// The fields of an input type with their Swift names and types.
struct InputFields {
  struct Field {
    let definition: SchemaInputValue
    /// The property's name, in backticks where needed.
    let property: String
    /// The property's type. Optional for a non-null field with a default value in the schema,
    /// because it may be omitted.
    let type: String
    /// Whether a value of the field can contain a value of the enclosing struct with no array in
    /// between.
    let isRecursive: Bool
    /// The default value of the initializer's parameter: `.none` or `nil`. Required fields have no
    /// default value.
    let defaultValue: String?
    /// The expression for the value to send.
    let sent: String
    /// The name of the private stored property; `nil` when the public property is stored.
    let storage: String?

    /// The expression for the value inside the struct. It reads the stored property, because
    /// reading a deprecated property would warn.
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
    // Such a field may be omitted but must not be null.
    let isOptional = field.type.isNonNull && !field.isRequired
    let stored = storage.map { isRecursive ? $0 + "[0]" : $0 } ?? property
    return Field(
      definition: field, property: property,
      type: types.input(field.type) + (isOptional ? "?" : ""), isRecursive: isRecursive,
      defaultValue: field.isRequired ? nil : isOptional ? "nil" : ".none",
      sent: isOptional ? "GraphQLNullable(\(stored), ifNil: .none)" : stored, storage: storage)
  }

  /// Returns whether a value of the field can contain a value of `target` with no array in between.
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
