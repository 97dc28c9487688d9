import GraphQLLanguage
import RelayCompiler

/// An estimate of an operation's response, based only on its selections.
///
/// A list's length comes from an argument `first`, `last` or `limit` of its field or of the
/// enclosing connection. Otherwise it is the unknown length *n*.
struct SelectionCost {
  /// The number of objects around the innermost field, including the root.
  private(set) var depth = 0
  /// The number of fields, counting repeated selections separately.
  private(set) var fieldCount = 0
  /// The number of objects as a polynomial in *n*: its coefficients, indexed by power. A
  /// coefficient that overflows is `Int.max`.
  private(set) var objects: [Int] = []
  private let schema: Schema
  /// The default values of the operation's variables.
  private let defaults: [Symbol: Value]

  /// Estimates an operation's response.
  ///
  /// - Parameter operation: The operation, including the selections of all its fragments.
  init(_ operation: IR.Operation, schema: Schema) {
    self.schema = schema
    var defaults: [Symbol: Value] = [:]
    for variable in operation.definition.variables {
      defaults[variable.name.symbol] = variable.defaultValue
    }
    self.defaults = defaults
    add(operation.selections, of: Objects(), length: nil)
  }

  /// The objects that a selection set is read from.
  private struct Objects {
    /// The product of the known lengths of the enclosing lists.
    var count = 1
    /// The number of enclosing lists of unknown length.
    var power = 0
    var depth = 1

    mutating func multiply(by length: Int?) {
      guard let length else {
        power += 1
        return
      }
      let (product, overflow) = count.multipliedReportingOverflow(by: max(0, length))
      count = overflow ? .max : product
    }
  }

  /// - Parameter length: The length of the fields' lists, if the enclosing connection gives one.
  private mutating func add(_ selections: [IR.Selection], of parents: Objects, length: Int?) {
    count(parents)
    addFields(selections, of: parents, length: length)
  }

  private mutating func addFields(
    _ selections: [IR.Selection], of parents: Objects, length: Int?
  ) {
    for selection in selections {
      switch selection.content {
      case .field(let field):
        fieldCount += 1
        guard schema[field.type.named].isComposite else { continue }
        let given = self.length(of: field)
        var objects = parents
        objects.depth += 1
        for level in 0..<field.type.shape.listDepth {
          objects.multiply(by: level == 0 ? given ?? length : nil)
        }
        add(field.selections, of: objects, length: field.type.shape.listDepth == 0 ? given : nil)
      case .inlineFragment(let fragment):
        addFields(fragment.selections, of: parents, length: length)
      case .spread: continue
      }
    }
  }

  private mutating func count(_ added: Objects) {
    depth = max(depth, added.depth)
    while objects.count <= added.power { objects.append(0) }
    let (sum, overflow) = objects[added.power].addingReportingOverflow(added.count)
    objects[added.power] = overflow ? .max : sum
  }

  private func length(of field: IR.Field) -> Int? {
    let lengths = field.arguments.compactMap { argument -> Int? in
      guard ["first", "last", "limit"].contains(schema.symbols[argument.name]) else { return nil }
      return length(argument.value)
    }
    return lengths.max()
  }

  private func length(_ value: Value) -> Int? {
    switch value.kind {
    case .int(let text): Int(schema.symbols[text])
    case .variable(let name): defaults[name].flatMap(length)
    default: nil
    }
  }

  /// The number of objects as a string, such as `3 + 20n + 20n² objects`.
  var objectText: String {
    if objects == [1] { return 1.counted("object") }
    let terms = objects.enumerated().compactMap { power, count -> String? in
      if count == 0 { return nil }
      let number = count == .max ? "∞" : "\(count)"
      if power == 0 { return number }
      return (count == 1 ? "" : number) + "n" + (power == 1 ? "" : Self.superscript(power))
    }
    return (terms.isEmpty ? "0" : terms.joined(separator: " + ")) + " objects"
  }

  private static func superscript(_ power: Int) -> String {
    let digits = Array("⁰¹²³⁴⁵⁶⁷⁸⁹")
    return String("\(power)".compactMap { $0.wholeNumberValue.map { digits[$0] } })
  }
}
