import GraphQLLanguage

/// The differences between two schemas, computed only for the elements that operations use.
///
/// Both schemas were parsed in one workspace, so their symbols can be compared.
struct SchemaDifference {
  let old: Schema
  let new: Schema
  /// The changes of each element, memoized because operations share elements.
  private var changes: [ElementUse: [SchemaChange]] = [:]

  init(from old: Schema, to new: Schema) {
    self.old = old
    self.new = new
  }

  /// Returns the changes that a use is affected by.
  mutating func changes(of use: ElementUse) -> [SchemaChange] {
    if let known = changes[use] { return known }
    let found = findChanges(of: use)
    changes[use] = found
    return found
  }

  private func findChanges(of use: ElementUse) -> [SchemaChange] {
    switch use {
    case .root(let operation): rootChanges(of: operation)
    case .type(let name): typeChanges(of: name)
    case .field(let type, let name):
      fieldChanges(of: name, on: type) + addedArgumentChanges(of: name, on: type)
    case .argument(let type, let field, let name):
      argumentChanges(of: name, of: field, on: type, .written)
    case .omittedArgument(let type, let field, let name):
      omittedArgumentChanges(of: name, of: field, on: type)
    case .inputObject(let name): inputObjectChanges(of: name)
    case .inputField(let type, let name): inputFieldChanges(of: name, of: type, .written)
    case .sentInputField(let type, let name): inputFieldChanges(of: name, of: type, .sent)
    case .omittedInputField(let type, let name): inputFieldChanges(of: name, of: type, .omitted)
    case .enumValue(let type, let name): valueChanges(of: name, of: type)
    case .sentEnum(let name): removedValues(of: name, .breaking)
    case .receivedEnum(let name): removedValues(of: name, .dangerous) + addedValues(of: name)
    case .receivedObject(let name): addedTypes(of: name)
    case .condition(let parent, let type): overlapChanges(of: type, in: parent)
    case .directive(let name, let location): directiveChanges(of: name, at: location)
    case .directiveArgument(let directive, let name):
      directiveArgumentChanges(of: name, of: directive, .written)
    case .omittedDirectiveArgument(let directive, let name):
      directiveArgumentChanges(of: name, of: directive, .omitted)
    }
  }

  func text(_ symbol: Symbol) -> String { old.symbols[symbol] }

  /// Returns a type in both schemas; `nil` unless both have it with the same kind. A root type may
  /// have another name in the new schema.
  func types(named symbol: Symbol) -> (old: NamedType, new: NamedType)? {
    guard let before = old.type(named: symbol),
      let after = new.type(named: symbol) ?? renamedRoot(symbol), before.kind == after.kind
    else { return nil }
    return (before, after)
  }

  /// Returns the root type that replaces one whose name the new schema does not have.
  private func renamedRoot(_ symbol: Symbol) -> NamedType? {
    if new.type(named: symbol) != nil { return nil }
    let operations = OperationType.allCases.filter { old.rootType(of: $0)?.symbol == symbol }
    let roots = Set(operations.map { new.rootType(of: $0)?.symbol })
    return roots.count == 1 ? roots.first?.flatMap(new.type(named:)) : nil
  }

  // MARK: Types

  private func rootChanges(of operation: OperationType) -> [SchemaChange] {
    guard let before = old.rootType(of: operation)?.symbol else { return [] }
    let after = new.rootType(of: operation)?.symbol
    if before == after { return [] }
    let kind: SchemaChange.Kind =
      switch operation {
      case .query: .queryTypeChanged
      case .mutation: .mutationTypeChanged
      case .subscription: .subscriptionTypeChanged
      }
    let change = after.map { "changed to \"\(text($0))\"" } ?? "was removed"
    let isRenamed = renamedRoot(before) != nil
    let rootChange = SchemaChange(
      kind, text(before), "The \(operation.rawValue) root type \"\(text(before))\" \(change).",
      criticality: isRenamed ? .safe : .breaking)
    return isRenamed ? [rootChange] : [rootChange] + typeChanges(of: before)
  }

  private func typeChanges(of name: Symbol) -> [SchemaChange] {
    let name = (text: text(name), symbol: name)
    guard let before = old.type(named: name.symbol) else { return [] }
    guard let after = new.type(named: name.symbol) else {
      // A schema has only the standard scalars that it refers to, but all are defined.
      if before.isBuiltIn, before.kind == .scalar { return [] }
      return [SchemaChange(.typeRemoved, name.text, "Type \"\(name.text)\" was removed.")]
    }
    if before.kind == after.kind { return [] }
    let (was, becomes) = (before.kind.noun, after.kind.noun)
    return [
      SchemaChange(
        .typeChangedKind, name.text, "Type \"\(name.text)\" changed from \(was) to \(becomes).")
    ]
  }

  /// Returns the object types that were added to an interface or union.
  private func addedTypes(of name: Symbol) -> [SchemaChange] {
    guard let (before, after) = types(named: name) else { return [] }
    let known = Set(old.possibleTypes(of: before).map { old[$0].symbol })
    let added = new.possibleTypes(of: after).map { new[$0].symbol }.filter { !known.contains($0) }
    let abstract = text(name)
    if before.kind == .union {
      return added.map {
        SchemaChange(
          .typeAddedToUnion, abstract, "Type \"\(text($0))\" was added to union \"\(abstract)\".")
      }
    }
    return added.filter { types(named: $0) != nil }.map {
      SchemaChange(
        .implementedInterfaceAdded, text($0),
        "Type \"\(text($0))\" now implements interface \"\(abstract)\".")
    }
  }

  /// Returns the object types that a fragment no longer applies to.
  private func overlapChanges(of condition: Symbol, in parent: Symbol) -> [SchemaChange] {
    guard let (oldParent, newParent) = types(named: parent),
      let (oldType, newType) = types(named: condition)
    else { return [] }
    func common(of left: NamedType, and right: NamedType, in schema: Schema) -> Set<Symbol> {
      Set(schema.possibleTypes(of: left).map { schema[$0].symbol })
        .intersection(schema.possibleTypes(of: right).map { schema[$0].symbol })
    }
    let remaining = common(of: newParent, and: newType, in: new)
    // A fragment that still applies to other types stays valid.
    let criticality: Criticality = remaining.isEmpty ? .breaking : .dangerous
    let lost = common(of: oldParent, and: oldType, in: old).subtracting(remaining)
    return lost.sorted { text($0) < text($1) }.flatMap { type in
      [newParent, newType].compactMap { abstract in
        guard let object = new.type(named: type), object.kind == .object, abstract.isAbstract,
          !new.isSubtype(object.id, of: abstract.id)
        else { return nil }
        return removal(of: text(type), from: abstract, criticality)
      }
    }
  }

  private func removal(
    of type: String, from abstract: NamedType, _ criticality: Criticality
  ) -> SchemaChange {
    let name = text(abstract.symbol)
    return abstract.kind == .union
      ? SchemaChange(
        .typeRemovedFromUnion, name, "Type \"\(type)\" was removed from union \"\(name)\".",
        criticality: criticality)
      : SchemaChange(
        .implementedInterfaceRemoved, type,
        "Type \"\(type)\" no longer implements interface \"\(name)\".", criticality: criticality)
  }
}

extension TypeDefinition.Kind {
  /// The kind with its article, for messages.
  fileprivate var noun: String {
    switch self {
    case .scalar: "a scalar"
    case .object: "an object"
    case .interface: "an interface"
    case .union: "a union"
    case .enum: "an enum"
    case .inputObject: "an input object"
    }
  }
}
