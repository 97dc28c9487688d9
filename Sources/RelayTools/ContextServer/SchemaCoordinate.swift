import GraphQLLanguage
import RelayCompiler

/// A name that an assistant uses for something in the schema or the documents: `Type`,
/// `Type.member`, `@directive`, or the name of a fragment or an operation.
struct SchemaCoordinate {
  private let isDirective: Bool
  private let owner: String
  private let member: String?

  init(_ text: String) {
    isDirective = text.hasPrefix("@")
    let parts = text.drop { $0 == "@" }.split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    owner = parts.first.map(String.init) ?? ""
    member = parts.count > 1 ? String(parts[1]) : nil
  }

  /// Returns the elements that the name may refer to, each with its own name. For a field, these
  /// include the same field of its type's interfaces and of the types that implement it.
  func elements(in context: LanguageContext) -> [LanguageElement: String] {
    let symbols = context.symbols
    guard let symbol = symbols.find(owner) else { return [:] }
    if isDirective { return member == nil ? [.directive(symbol): "@" + owner] : [:] }
    guard let member else {
      return [.type(symbol): owner, .fragment(symbol): owner, .operation(symbol): owner]
    }
    guard let name = symbols.find(member), let type = context.schema.type(named: symbol) else {
      return [:]
    }
    let text = "\(owner).\(member)"
    var elements: [LanguageElement: String] = [
      .field(type: symbol, name: name): text, .inputField(type: symbol, name: name): text,
      .enumValue(type: symbol, name: name): text,
    ]
    guard context.field(named: name, on: type) != nil else { return elements }
    let schema = context.schema
    let related =
      type.interfaces + schema.possibleTypes(of: type)
      + (type.kind == .interface ? schema.implementingInterfaces(of: type) : [])
    for id in related {
      let other = schema[id]
      guard other !== type, context.field(named: name, on: other) != nil else { continue }
      elements[.field(type: other.symbol, name: name)] = "\(schema.name(of: id)).\(member)"
    }
    return elements
  }

  /// Whether the schema or a document defines something with this name.
  func exists(in session: Session) -> Bool {
    let context = session.languageContext
    guard let symbol = context.symbols.find(owner) else { return false }
    if isDirective { return member == nil && context.directive(named: symbol) != nil }
    let type = context.schema.type(named: symbol)
    guard let member else {
      return type != nil || session.fragment(named: symbol) != nil
        || session.operation(named: symbol) != nil
    }
    guard let type, let name = context.symbols.find(member) else { return false }
    return context.field(named: name, on: type) != nil || type.inputFields[named: name] != nil
      || type.enumValues[named: name] != nil
  }

  /// Returns a question that suggests a similar name: a member of the type that `text` starts with,
  /// or any name of the same kind.
  ///
  /// - Parameter known: The only names that may be suggested; `nil` allows all.
  static func question(
    for text: String, in session: Session, among known: Set<String>? = nil
  ) -> String? {
    func isKnown(_ name: String) -> Bool { known?.contains(name) ?? true }
    let context = session.languageContext
    let (schema, symbols) = (context.schema, context.symbols)
    let coordinate = SchemaCoordinate(text)
    if let member = coordinate.member, let type = schema.type(named: coordinate.owner) {
      let members =
        type.fields.map(\.symbol) + type.inputFields.map(\.symbol) + type.enumValues.map(\.symbol)
      let names = suggestions(
        for: member,
        among: members.map { symbols[$0] }.filter { isKnown("\(coordinate.owner).\($0)") })
      return didYouMean(names.map { "\(coordinate.owner).\($0)" })
    }
    if coordinate.isDirective {
      let names = context.directives.map { "@" + symbols[$0.symbol] }.filter(isKnown)
      return didYouMean(suggestions(for: text, among: names))
    }
    let definitions = session.names.files.flatMap {
      $0.names.fragments.union($0.names.operations)
    }
    let suffix = coordinate.member.map { "." + $0 } ?? ""
    let names = (schema.types.map(\.symbol) + definitions).map { symbols[$0] }
      .filter { isKnown($0 + suffix) }
    return didYouMean(suggestions(for: coordinate.owner, among: names).map { $0 + suffix })
  }
}
