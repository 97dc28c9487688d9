import GraphQLLanguage

/// A pass that adjusts the types of fields to the handling of nulls and errors:
///
/// - A `@required` field is nullable in the plan and non-null in Swift. It can make the object
///   around it, or the innermost item of a list, null.
/// - A field with `@catch(to: NULL)` may be null.
/// - Where no error can surface, because of `@catch` or `@throwOnFieldError`, a `@semanticNonNull`
///   field is non-null.
/// - `__typename` is unconditional despite `@include` and `@skip`, because the runtime can always
///   supply it.
///
/// The pass runs after ``Flatten``, on reader programs only.
struct HandleErrors {
  private let schema: Schema

  package static func apply(to program: IR.Program) -> IR.Program {
    let pass = HandleErrors(schema: program.schema)
    var program = program
    for index in program.operations.indices {
      let operation = program.operations[index]
      program.operations[index].selections = pass.selections(
        operation.selections, on: operation.root, isCaught: operation.handling != nil)
    }
    for index in program.fragments.indices {
      let fragment = program.fragments[index]
      program.fragments[index].selections = pass.selections(
        fragment.selections, on: fragment.type, isCaught: fragment.handling != nil)
    }
    return program
  }

  private func selections(
    _ selections: [IR.Selection], on type: TypeID, isCaught: Bool
  ) -> [IR.Selection] {
    selections.replacing { selection in
      switch selection.content {
      case .field(let field):
        let handled = selection.with(self.field(field, on: type, isCaught: isCaught))
        if field.name != .typename || selection.condition.isAlways { return handled }
        var result = handled ?? selection
        result.condition = .always
        return result
      case .inlineFragment(let fragment):
        return selection.with(
          fragment,
          self.selections(fragment.selections, on: fragment.type, isCaught: isCaught))
      case .spread: return nil
      }
    }
  }

  private func field(_ field: IR.Field, on type: TypeID, isCaught: Bool) -> IR.Field {
    var shape = field.type.shape
    var inner = field.selections
    let isCaught = isCaught || field.catches != nil
    if isCaught, let definition = schema.field(named: field.name, on: schema[type]) {
      shape = shape.nonNull(at: schema.semanticNonNullLevels(of: definition))
    }
    if !field.selections.isEmpty {
      if Self.hasRequired(field.selections) { shape = shape.withNullableItems }
      inner = selections(field.selections, on: field.type.named, isCaught: isCaught)
    }
    if field.required != nil || field.catches == .null { shape = shape.nullable }
    if shape == field.type.shape { return field.with(selections: inner) }
    return field.with(type: ResolvedType(field.type.named, shape: shape), selections: inner)
  }

  /// Returns whether a null in the selections of an object makes the object null.
  private static func hasRequired(_ selections: [IR.Selection]) -> Bool {
    selections.contains { selection in
      switch selection.content {
      case .field(let field): field.required != nil
      case .inlineFragment(let fragment): hasRequired(fragment.selections)
      case .spread: false
      }
    }
  }
}

extension IR.Program {
  /// Returns the definitions with an uncaught `@required(action: THROW)` or `@throwOnFieldError`.
  /// Reading them can throw.
  func throwingDefinitions() -> Set<Symbol> {
    let inline = Set(fragments.filter(\.isInline).map(\.name))
    var throwing: Set<Symbol> = []
    func canThrow(_ selections: [IR.Selection]) -> Bool {
      selections.contains { selection in
        switch selection.content {
        case .field(let field):
          field.catches == nil && (field.required == .throw || canThrow(field.selections))
        case .inlineFragment(let fragment): canThrow(fragment.selections)
        case .spread(let spread):
          inline.contains(spread.name) && throwing.contains(spread.name)
        }
      }
    }
    // Each fragment comes after the fragments it spreads.
    for fragment in FragmentDependencyOrder(self).fragments
    where fragment.handling.map({ $0 == .throw }) ?? canThrow(fragment.selections) {
      throwing.insert(fragment.name)
    }
    let operations = operations.filter { operation in
      operation.handling.map { $0 == .throw } ?? canThrow(operation.selections)
    }
    return throwing.union(operations.map(\.name.symbol))
  }
}

extension IR.Field {
  /// The list and non-null wrappers of the Swift type, excluding `@catch(to: RESULT)`. A
  /// `@required` field is non-null.
  var swiftShape: TypeShape { required == nil ? type.shape : type.shape.nonNull }
}

extension TypeShape {
  /// Returns the shape with the given levels made non-null; level 0 is the outermost.
  func nonNull(at levels: Set<Int>, level: Int = 0) -> TypeShape {
    if levels.isEmpty { return self }
    let inner = item?.nonNull(at: levels, level: level + 1).list ?? .named
    return isNonNull || levels.contains(level) ? inner.nonNull : inner
  }

  /// The shape with nullable innermost values.
  var withNullableItems: TypeShape {
    guard let item else { return nullable }
    let list = item.withNullableItems.list ?? self
    return isNonNull ? list.nonNull : list
  }
}
