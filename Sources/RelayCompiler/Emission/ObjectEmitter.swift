import GraphQLLanguage

/// An emitter of one object's struct members, including the nested structs for its type conditions.
final class ObjectEmitter {
  /// The purpose of the structs.
  enum Purpose {
    /// Reading: the structs have properties and a memberwise initializer.
    case reading
    /// Optimistic responses: the structs have only initializers, and `complete`. The initializers'
    /// parameters for fields that are selected only by spreads have default values.
    case rawResponse
  }

  let types: SwiftTypes
  let purpose: Purpose
  /// The names that must not be shadowed inside the struct.
  let names: ReferencedNames
  let layout: ObjectLayout
  /// For optimistic responses: the cases of an object with type conditions; otherwise empty.
  let cases: [ObjectLayout.Case]
  /// The expression for the object's plan.
  let plan: String
  /// The qualified name of each scope's struct.
  private(set) var paths: [String]
  /// The name of each slot's struct; `nil` unless the slot is a linked field or a type condition.
  private(set) var structs: [String?]

  var schema: Schema { types.schema }
  var access: String { types.access }

  init(
    _ selections: [IR.Selection], on type: TypeID, types: SwiftTypes, purpose: Purpose,
    names: ReferencedNames, path: String, plan: String
  ) {
    self.types = types
    self.purpose = purpose
    self.names = names
    self.plan = plan
    var layout = ObjectLayout(selections, on: type, schema: types.schema)
    cases = purpose == .rawResponse && layout.scopes.count > 1 ? layout.addCases() : []
    self.layout = layout
    structs = Array(repeating: nil, count: layout.slots.count)
    paths = Array(repeating: path, count: layout.scopes.count)
    if purpose == .rawResponse { structs = rawResponseStructs() } else { nameStructs() }
  }

  /// Names the nested structs scope by scope. A scope follows its parent, so ``paths`` already has
  /// the parent's name.
  private func nameStructs() {
    let properties = capitalizedProperties
    for scope in layout.scopes.indices where layout.hasNested(scope) {
      var taken = properties
      for (index, slot) in layout.slots.enumerated() where slot.scope == scope {
        let name: String
        switch slot.content {
        case .field(let field) where !field.selections.isEmpty:
          name = SwiftName.nested(
            type: schema.name(of: field.type.named), responseKey: types.text(field.responseKey),
            taken: taken, others: names.inTypes)
        case .inlineFragment(let fragment):
          name =
            fragment.alias.map {
              SwiftName.aliased(types.text($0), taken: taken, others: names.inTypes)
            }
            ?? SwiftName.view(
              type: schema.name(of: fragment.type), taken: taken, others: names.inTypes)
          if let inner = slot.innerScope { paths[inner] = paths[scope] + "." + name }
        default: continue
        }
        taken.insert(name)
        structs[index] = name
      }
    }
  }

  /// The property names of aliased type conditions that start with a capital letter, like struct
  /// names. With a struct of the same name, reading such a property would be ambiguous.
  private var capitalizedProperties: Set<String> {
    var names: Set<String> = []
    for slot in layout.slots {
      guard case .inlineFragment(let fragment) = slot.content,
        let name = fragment.alias.map(types.text), let first = name.utf8.first,
        first < UInt8(ascii: "a")
      else { continue }
      // A property that would hide a type gets an underscore.
      names.formUnion([name, name + "_"])
    }
    return names
  }

  /// Emits the members of the object's struct; the caller emits its opening and closing lines.
  func emitMembers(to printer: inout SwiftPrinter) {
    switch purpose {
    case .reading: emitMembers(of: 0, to: &printer)
    case .rawResponse: emitRawResponseMembers(to: &printer)
    }
  }

  /// Returns whether the struct of a scope has an unconditional, non-null scalar `id`.
  private func isIdentifiable(_ scope: Int) -> Bool {
    guard purpose == .reading, layout.slots.contains(where: isID) else { return false }
    return layout.members(of: scope).contains { member in
      let slot = layout.slots[member.slot]
      guard case .field(let field) = slot.content, slot.condition.isAlways, isID(slot) else {
        return false
      }
      return field.type.isNonNull && !field.type.isList && schema[field.type.named].kind == .scalar
    }
  }

  private func isID(_ slot: ObjectLayout.Slot) -> Bool {
    if case .field(let field) = slot.content { field.responseKey == .idField } else { false }
  }

  // MARK: One scope

  private func emitMembers(of scope: Int, to printer: inout SwiftPrinter) {
    let members = ScopeMembers(scope, of: self)
    printer.line("let __row: Row")
    emitInitializers(members, to: &printer)
    emitProperties(members, to: &printer)
    emitTypeCases(members, of: scope, to: &printer)
    emitFragments(members, to: &printer)
    emitNested(scope, to: &printer)
  }

  func emitInitializers(_ members: ScopeMembers, to printer: inout SwiftPrinter) {
    let opening = types.clientAccess + "init("
    printer.initializer(opening, members.parameters) { text in
      text += "self.init("
      text += plan
      for expression in members.slotExpressions {
        text += ", "
        expression.write(to: &text)
      }
      text += ")"
    }
    for view in members.views {
      let name = SwiftName.escaped(view.property)
      printer.initializer(opening, ["\(name): \(view.type)"]) { $0 += "self.init(__of: \(name))" }
    }
  }

  private func emitProperties(_ members: ScopeMembers, to printer: inout SwiftPrinter) {
    for field in members.fields {
      if field.isOwn { printer.comments(field.texts.comments) }
      printer.deprecation(field.texts.deprecationReason)
      emitProperty(field.property, type: field.type, value: field.value, to: &printer)
    }
    for view in members.views {
      printer.member {
        $0 += "\(access)var \(SwiftName.escaped(view.property)): \(view.type)?"
      } body: {
        $0 += "__row.view(\(view.slot))"
      }
    }
  }

  private func emitProperty(
    _ name: String, type: MemberType, value: ReadExpression, to printer: inout SwiftPrinter
  ) {
    printer.member { text in
      text += access
      text += "var "
      text += SwiftName.escaped(name)
      text += ": "
      type.write(to: &text)
    } body: { text in
      value.write(to: &text)
    }
  }

  /// Emits the type conditions as an enum. Conditions on object types come first, because at most
  /// one of them holds, followed by conditions on interfaces and unions.
  private func emitTypeCases(
    _ members: ScopeMembers, of scope: Int, to printer: inout SwiftPrinter
  ) {
    guard let property = members.casesProperty else { return }
    let name = SwiftName.free(
      "Cases", taken: nestedNames(of: scope).union(capitalizedProperties), others: names.inTypes)
    let views = members.views.filter { !$0.isAbstract } + members.views.filter(\.isAbstract)
    printer.block(types.clientAccess, "var \(property): \(name)") { printer in
      for view in views {
        let property = SwiftName.escaped(view.property)
        let caseName = SwiftName.escaped(view.caseName)
        printer.line("if let value = \(property) { return .\(caseName)(value) }")
      }
      printer.line("return .other(__typename)")
    }
    printer.block("\(access)enum \(name): Sendable") { printer in
      for view in views {
        printer.line("case \(SwiftName.escaped(view.caseName))(\(view.type))")
      }
      printer.line("case other(String)")
    }
  }

  /// Returns the names of the structs declared inside the struct of a scope.
  private func nestedNames(of scope: Int) -> Set<String> {
    Set(layout.slots.indices.compactMap { layout.slots[$0].scope == scope ? structs[$0] : nil })
  }

  private func emitFragments(_ members: ScopeMembers, to printer: inout SwiftPrinter) {
    if members.spreads.isEmpty { return }
    printer.line(access, "var fragments: Fragments { Fragments(__row: __row) }")
    if !members.hasOwnSpreads { return }
    printer.block(access, "struct Fragments: Sendable") { printer in
      printer.line("let __row: Row")
      for spread in members.spreads {
        emitProperty(spread.property, type: spread.type, value: spread.value, to: &printer)
      }
    }
  }

  // MARK: Nested structs

  private func emitNested(_ scope: Int, to printer: inout SwiftPrinter) {
    for (index, slot) in layout.slots.enumerated() where slot.scope == scope {
      guard let name = structs[index] else { continue }
      switch slot.content {
      case .field(let field):
        let inner = ObjectEmitter(
          field.selections, on: field.type.named, types: types, purpose: purpose,
          names: names, path: paths[scope] + "." + name, plan: plan + "[\(index)]")
        printer.schemaType(schema.name(of: field.type.named))
        inner.emitStruct(name, isConnection: field.connection != nil, to: &printer)
      case .inlineFragment:
        // `ObjectLayout` gives every type condition a scope, for any document.
        guard let inner = slot.innerScope else {
          preconditionFailure("The slot of a type condition has no inner scope.")
        }
        let conformances = conformances(scope: inner)
        printer.schemaType(schema.name(of: layout.scopes[inner].type))
        printer.block(access, "struct ", name, ": ", conformances) { printer in
          emitMembers(of: inner, to: &printer)
        }
      case .spread: continue
      }
    }
  }

  /// Returns the conformances of a row-backed struct, for the object or one of its scopes. The
  /// custom mirror shows the fields instead of the row.
  func conformances(
    to view: String? = nil, _ others: [String] = [], scope: Int = 0
  ) -> String {
    let identifiable = isIdentifiable(scope) ? ["Identifiable"] : []
    let object = view.map { [$0, "Hashable", "CustomReflectable"] } ?? ["GraphQLObject"]
    return (object + others + identifiable).joined(separator: ", ")
  }

  private func emitStruct(
    _ name: String, isConnection: Bool, to printer: inout SwiftPrinter
  ) {
    let node = isConnection && purpose == .reading ? nodeStruct : nil
    let connection = node == nil ? "" : ", GraphQLConnection"
    printer.block(access, "struct ", name, ": ", conformances(), connection) {
      printer in
      if let node { printer.line(access, "typealias __Node = ", node) }
      emitMembers(to: &printer)
    }
  }

  /// The qualified name of the struct for a connection's nodes.
  private var nodeStruct: String? {
    guard let edges = linked("edges"), edges.field.type.isList else { return nil }
    // Created only for the names of its structs.
    let edge = ObjectEmitter(
      edges.field.selections, on: edges.field.type.named, types: types, purpose: purpose,
      names: names, path: edges.name, plan: "")
    guard let node = edge.linked("node") else { return nil }
    return edges.name + "." + node.name
  }

  /// Returns a linked field outside type conditions, and the name of its struct.
  private func linked(_ responseKey: String) -> (field: IR.Field, name: String)? {
    for (index, slot) in layout.slots.enumerated() where slot.scope == 0 {
      if case .field(let field) = slot.content, types.text(field.responseKey) == responseKey,
        let name = structs[index]
      {
        return (field, name)
      }
    }
    return nil
  }
}
