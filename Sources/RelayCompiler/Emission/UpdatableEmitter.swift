import GraphQLLanguage

/// An emitter of the structs that updaters use to read and write an object of an `@updatable`
/// definition. Scalars become properties with setters; links become properties and `set` methods.
struct UpdatableEmitter {
  private let emitter: ObjectEmitter

  private var types: SwiftTypes { emitter.types }
  private var access: String { emitter.access }

  /// - Parameter path: The qualified name of the object's struct.
  init(
    _ selections: [IR.Selection], on type: TypeID, types: SwiftTypes, names: ReferencedNames,
    path: String
  ) {
    emitter = ObjectEmitter(
      selections, on: type, types: types, purpose: .reading, names: names, path: path, plan: "")
  }

  /// Emits the object's struct.
  func emit(_ name: String, to printer: inout SwiftPrinter) {
    emit(name, scope: 0, to: &printer)
  }

  private func emit(_ name: String, scope: Int, to printer: inout SwiftPrinter) {
    printer.block("\(access)struct \(name): GraphQLUpdatable") { printer in
      printer.line("\(access)let __record: UpdatableRecord")
      printer.line(
        "\(access)init(__record: UpdatableRecord) { self.__record = __record }")
      var taken = emitter.names.inExpressions.union(["__record"])
      for member in emitter.layout.members(of: scope) {
        guard case .field(let field) = emitter.layout.slots[member.slot].content else { continue }
        emit(field, slot: member.slot, scope: scope, taken: &taken, to: &printer)
      }
      emitViews(of: scope, taken: &taken, to: &printer)
      emitNested(in: scope, to: &printer)
    }
  }

  // MARK: Fields

  private func emit(
    _ field: IR.Field, slot: Int, scope: Int, taken: inout Set<String>,
    to printer: inout SwiftPrinter
  ) {
    let property = SwiftName.member(types.text(field.responseKey), taken: taken)
    taken.insert(property)
    let name = SwiftName.escaped(property)
    if field.name == .typename {
      return printer.line("\(access)var \(name): String? { __record.typename }")
    }
    if types.text(field.name) == "__id" {
      return printer.line("\(access)var \(name): String { __record.id }")
    }
    let owner = types.schema[emitter.layout.scopes[emitter.layout.slots[slot].scope].type]
    let definition = types.schema.field(named: field.name, on: owner)
    printer.documentation(definition?.description, lineLimit: 1)
    guard let nested = emitter.structs[slot] else {
      return emitScalar(field, of: owner, name: name, slot: slot, to: &printer)
    }
    let declaring = emitter.layout.slots[slot].scope
    let namedType =
      emitter.layout.encloses(declaring, scope) ? nested : emitter.paths[declaring] + "." + nested
    if field.type.isList {
      printer.line("\(access)var \(name): [\(namedType)?]? { __record.objects(\(slot)) }")
    } else {
      printer.line("\(access)var \(name): \(namedType)? { __record.object(\(slot)) }")
    }
    emitSetters(of: field, property: property, slot: slot, to: &printer)
  }

  private func emitScalar(
    _ field: IR.Field, of owner: NamedType, name: String, slot: Int,
    to printer: inout SwiftPrinter
  ) {
    let type = types.output(field.type.shape.nullable, of: types.reference(field.type.named))
    if types.keys.isKey(field.name, of: owner, in: types.schema) {
      return printer.line("\(access)var \(name): \(type) { __record[\(slot)] }")
    }
    printer.block("\(access)var \(name): \(type)") { printer in
      printer.line("get { __record[\(slot)] }")
      printer.line("nonmutating set { __record[\(slot)] = newValue }")
    }
  }

  /// Emits a `set` method for each assignable fragment that the field spreads.
  private func emitSetters(
    of field: IR.Field, property: String, slot: Int, to printer: inout SwiftPrinter
  ) {
    let method = "set" + SwiftName.upperFirst(property)
    let fragments = Self.spreads(in: field.selections).compactMap { types.fragments[$0] }
    let isNullable = !field.type.isNonNull
    for fragment in fragments {
      var type = "FragmentRef<\(fragment)>"
      if let item = field.type.shape.item { type = item.isNonNull ? "[\(type)]" : "[\(type)?]" }
      if isNullable, fragments.count == 1 { type += "?" }
      printer.line(
        "\(access)func \(method)(_ value: \(type)) throws { try __record.link(\(slot), to: value) }"
      )
    }
    if isNullable, fragments.count != 1 {
      printer.line(
        "\(access)func \(method)(_ value: Never?) throws { try __record.unlink(\(slot)) }")
    }
  }

  /// Returns the fragments that an object spreads, including in its type conditions, without
  /// duplicates.
  private static func spreads(in selections: [IR.Selection]) -> [Symbol] {
    var result: [Symbol] = []
    for selection in selections {
      switch selection.content {
      case .spread(let spread): if !result.contains(spread.name) { result.append(spread.name) }
      case .inlineFragment(let fragment):
        for name in spreads(in: fragment.selections) where !result.contains(name) {
          result.append(name)
        }
      case .field: continue
      }
    }
    return result
  }

  // MARK: Nested structs

  private func emitViews(
    of scope: Int, taken: inout Set<String>, to printer: inout SwiftPrinter
  ) {
    for child in emitter.layout.scopes[scope].children {
      guard let slot = emitter.layout.scopes[child].slot, let type = emitter.structs[slot],
        !isEmpty(child)
      else { continue }
      let property = SwiftName.member(SwiftName.lowerAs(type), taken: taken)
      taken.insert(property)
      printer.line(
        "\(access)var \(SwiftName.escaped(property)): \(type)? { __record.view(\(slot)) }")
    }
  }

  /// Returns whether a type condition contains only spreads of assignable fragments.
  private func isEmpty(_ scope: Int) -> Bool {
    emitter.layout.scopes[scope].children.isEmpty
      && !emitter.layout.slots.contains { $0.scope == scope && !$0.isSpread }
  }

  private func emitNested(in scope: Int, to printer: inout SwiftPrinter) {
    for (index, slot) in emitter.layout.slots.enumerated() where slot.scope == scope {
      guard let name = emitter.structs[index] else { continue }
      if case .field(let field) = slot.content {
        printer.blankLine()
        UpdatableEmitter(
          field.selections, on: field.type.named, types: types, names: emitter.names,
          path: emitter.paths[scope] + "." + name
        ).emit(name, to: &printer)
      } else if let inner = slot.innerScope, !isEmpty(inner) {
        printer.blankLine()
        emit(name, scope: inner, to: &printer)
      }
    }
  }
}
