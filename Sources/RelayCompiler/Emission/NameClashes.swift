import GraphQLLanguage

/// Finds definitions whose Swift structs would have one name.
enum NameClashes {
  static func diagnostics(in program: IR.Program, types: SwiftTypes) -> [Diagnostic] {
    var owners: [String: String] = [types.options.schemaName: "the schema's scalars"]
    for type in types.used.enums + types.used.inputObjects where !types.isInSchema(type.id) {
      let name = program.schema.name(of: type.id)
      owners[name] = "the schema's type \"\(name)\""
    }
    var result: [Diagnostic] = []
    func claim(_ swiftName: String?, _ name: Name, kind: String) {
      guard let swiftName else { return }
      let owner = "\(kind) \"\(program.symbols[name.symbol])\""
      if let other = owners.updateValue(owner, forKey: swiftName) {
        result.append(
          Diagnostic(
            rule: "swift-names",
            message: "The Swift type of \(owner) would be \"\(swiftName)\", which is also that of "
              + "\(other). Rename the \(kind).", at: name.span))
      }
    }
    for fragment in program.fragments {
      claim(types.fragments[fragment.name], fragment.definition.name, kind: "fragment")
    }
    for operation in program.operations {
      claim(
        types.operations[operation.name.symbol], operation.name,
        kind: operation.definition.operation.rawValue)
    }
    return result
  }
}
