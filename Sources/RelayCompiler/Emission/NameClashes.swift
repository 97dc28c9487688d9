import GraphQLLanguage

/// A check that no two definitions share a Swift struct name.
package enum NameClashes {
  package static let rule = "swift-names"

  static func diagnostics(in program: IR.Program, types: SwiftTypes) -> [Diagnostic] {
    typealias Owner = (text: String, span: Span)
    var owners: [String: Owner] = [types.options.schemaName: ("the schema's scalars", .none)]
    for type in types.used.enums + types.used.inputObjects where !types.isInSchema(type.id) {
      let name = program.schema.name(of: type.id)
      owners[name] = ("the schema's type \"\(name)\"", type.definition.name.span)
    }
    var result: [Diagnostic] = []
    func claim(_ swiftName: String?, _ name: Name, kind: String) {
      guard let swiftName else { return }
      let owner = "\(kind) \"\(program.symbols[name.symbol])\""
      if let other = owners.updateValue((owner, name.span), forKey: swiftName) {
        result.append(
          Diagnostic(
            rule: rule,
            message:
              "The Swift types of \(owner) and \(other.text) would both be \"\(swiftName)\". "
              + "Rename the \(kind).",
            locations: [name.span, other.span].filter(\.isKnown)))
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
