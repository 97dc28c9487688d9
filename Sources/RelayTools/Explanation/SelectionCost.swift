import GraphQLLanguage
import RelayCompiler

/// An estimate of the response to an operation, from its selections alone.
///
/// A list has the length that an argument `first`, `last` or `limit` gives, of its own field or of the
/// connection around it, and otherwise the unknown length *n*.
struct SelectionCost {
  /// The number of objects around the innermost field, that of the root included.
  private(set) var depth = 0
  /// The number of fields, each counted as often as it is selected.
  private(set) var fieldCount = 0
  /// The number of objects, as a polynomial in *n*: the coefficients by their powers. A number that
  /// is too large is `Int.max`.
  private(set) var objects: [Int] = []
  private let schema: Schema
  /// The default values of the operation's variables.
  private let defaults: [Symbol: Value]

  /// Estimates the response to an operation.
  ///
  /// - Parameter operation: The operation with the selections of all of its fragments.
  init(_ operation: IR.Operation, schema: Schema) {
    self.schema = schema
    var defaults: [Symbol: Value] = [:]
    for variable in operation.definition.variables {
      defaults[variable.name.symbol] = variable.defaultValue
    }
    self.defaults = defaults
    add(operation.selections, of: Objects(), length: nil)
  }

  /// The objects that one selection set is read from.
  private struct Objects {
    /// The product of the known lengths of the lists around them.
    var count = 1
    /// The number of lists of unknown length around them.
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

  /// - Parameter length: The length of the lists among the fields, if the connection around them
  ///   gives one.
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

  /// The number of objects as text, such as `3 + 20n + 20n² objects`.
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
