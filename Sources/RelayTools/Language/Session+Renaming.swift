import GraphQLLanguage
import RelayCompiler

/// The changes that a rename makes in the files of a session.
package struct Renaming {
  /// The name at the position.
  package let name: String
  package let range: FileRange
  /// The locations to change, including those in the configuration.
  package let places: [FileRange]
  /// Whether the session contains the definition of the renamed element.
  let isDefined: Bool
  fileprivate let occurrence: Occurrence
}

extension Session {
  /// Returns the changes that rename a fragment, an operation, a variable or an alias in all
  /// modules; `nil` without a name at the position.
  ///
  /// - Throws: ``RenameError`` if the element cannot be renamed.
  package func renaming(at position: FilePosition) throws(RenameError) -> Renaming? {
    let context = languageContext
    guard let occurrence = occurrence(at: position, context),
      let range = fileRange(of: occurrence.span)
    else { return nil }
    let found: [Occurrence]
    switch occurrence.element {
    case .alias: found = [occurrence]
    case .fragment, .operation, .variable, .fragmentVariable:
      found = occurrences(of: occurrence.element, context)
    case .type, .field, .argument, .directive, .directiveArgument, .inputField, .enumValue:
      throw RenameError(message: "Schema definitions cannot be renamed here.")
    }
    let isDefined =
      if case .alias = occurrence.element { true } else { found.contains(where: \.isDefinition) }
    let spans = found.map(\.span) + configuredNames(of: occurrence.element)
    let places = spans.compactMap(fileRange(of:))
    if let path = pathOfUnreadUse(of: occurrence.element, except: places) {
      throw RenameError(
        message:
          "\"\(name(of: occurrence.element))\" cannot be renamed, because it may be used in "
          + "\(path), a file with a syntax error."
      )
    }
    return Renaming(
      name: name(of: occurrence.element), range: range, places: places, isDefined: isDefined,
      occurrence: occurrence)
  }

  /// Returns the edits that rename the element at a position: a fragment, an operation, a variable,
  /// or the alias of a field.
  ///
  /// - Throws: ``RenameError`` if the name is invalid or taken, or the element cannot be renamed.
  package func rename(
    at position: FilePosition, to name: String
  ) throws(RenameError) -> [FileEdit] {
    guard let renaming = try renaming(at: position) else { throw .nothingHere }
    if !renaming.isDefined { throw .undefined(renaming.name) }
    try check(name, for: renaming)
    return name == renaming.name ? [] : renaming.places.map { FileEdit($0, name) }
  }

  /// Throws a ``RenameError`` if a name is invalid, or is taken in this session.
  package func check(_ name: String, for renaming: Renaming) throws(RenameError) {
    guard name.isGraphQLName else {
      throw RenameError(message: "\"\(name)\" is not a valid GraphQL name.")
    }
    if name == renaming.name { return }
    if let problem = conflict(of: name, with: renaming.occurrence)
      ?? ageConflict(of: name, renaming) ?? swiftConflict(of: name, renaming)
    {
      throw RenameError(message: problem)
    }
  }

  /// Returns the path of a file with a syntax error that contains the name at an offset the parser
  /// did not read.
  ///
  /// - Parameter places: The locations that were read.
  private func pathOfUnreadUse(of element: LanguageElement, except places: [FileRange]) -> String? {
    let word: String
    switch element {
    case .fragment, .fragmentVariable: word = name(of: element)
    case .variable: word = "$" + name(of: element)
    default: return nil
    }
    let known = Set(places.map(\.start))
    for source in executableFiles.flatMap({ Set($0.diagnostics.map(\.primarySpan.source)) }) {
      guard let text = workspace[source] else { continue }
      for start in text.bytes.offsets(ofName: word) {
        // A variable's location is the location of its name, after the `$`.
        let start = UInt32(truncatingIfNeeded: start + (word.hasPrefix("$") ? 1 : 0))
        let position = FilePosition(path: text.path, offset: Int(text.fileOffset(of: start)))
        if !known.contains(position) { return text.path }
      }
    }
    return nil
  }

  /// Returns the spans where the configuration names an operation.
  private func configuredNames(of element: LanguageElement) -> [Span] {
    guard case .operation(let symbol) = element, let text = schema.configuration else { return [] }
    let name = workspace.symbols[symbol]
    guard input.options.maxAges[name] != nil else { return [] }
    let span = text.location(of: name, in: "maxAge")
    return workspace.text(of: span) == name ? [span] : []
  }

  private func name(of element: LanguageElement) -> String {
    if case .alias(let span) = element { return workspace.text(of: span) }
    return element.name.map { workspace.symbols[$0] } ?? ""
  }

  // MARK: Conflicts

  /// Returns the reason why a name cannot be used.
  private func conflict(of name: String, with occurrence: Occurrence) -> String? {
    if case .fragment = occurrence.element, name == "on" {
      return "A fragment cannot be called \"on\"."
    }
    guard let symbol = workspace.symbols.find(name) else { return nil }
    switch occurrence.element {
    case .fragment:
      return graph.files(defining: symbol).isEmpty
        ? nil : "A fragment \"\(name)\" already exists."
    case .operation:
      return graph.files(definingOperation: symbol).isEmpty
        ? nil : "An operation \"\(name)\" already exists."
    case .variable(let scope, let old):
      let scopes = VariableScopes(self)
      return scopes.contain(symbol, in: scopes.scopes(sharing: old, with: scope))
        ? "A variable \"$\(name)\" already exists." : nil
    case .fragmentVariable(let fragment, _):
      return VariableScopes(self).contain(symbol, in: [.fragment(fragment)])
        ? "A variable \"$\(name)\" already exists." : nil
    case .alias, .type, .field, .argument, .directive, .directiveArgument, .inputField, .enumValue:
      return nil
    }
  }

  /// Returns the reason why renaming an operation would affect a type's maximum age, or share it.
  private func ageConflict(of name: String, _ renaming: Renaming) -> String? {
    guard case .operation = renaming.occurrence.element else { return nil }
    let shared = [renaming.name, name].first { name in
      input.options.maxAges[name] != nil && schema.schema.type(named: name) != nil
    }
    return shared.map {
      "\"maxAge\" in the configuration has an age for \"\($0)\", but that is also a type."
    }
  }

  /// Returns the reason why the Swift type of the renamed definition could not be declared.
  ///
  /// The compiler finds this too, but only in a project without other errors.
  private func swiftConflict(of name: String, _ renaming: Renaming) -> String? {
    func swiftName(_ name: String) -> String? {
      switch renaming.occurrence.element {
      case .fragment: SwiftName.definition(name)
      case .operation(let symbol):
        operation(named: symbol).map { SwiftName.operation(name, kind: $0.operation.rawValue) }
      default: nil
      }
    }
    guard let new = swiftName(name), new != swiftName(renaming.name) else { return nil }
    let isTaken = names.files.contains { file in
      entries[FileKey(path: file.file.path)]?.swiftNames.contains(new) == true
    }
    guard isTaken || new == input.options.schemaName else { return nil }
    return "The Swift type of \"\(name)\" would be \"\(new)\", but that already exists."
  }

  // MARK: Errors

  /// Returns the first error that a changed input introduces.
  ///
  /// Errors are counted by rule and file, so an existing error whose message merely changed is not
  /// reported by itself. Afterwards the session is back at its original input.
  mutating func firstError(after changed: CompilationInput) -> Diagnostic? {
    struct Group: Hashable {
      let rule: String
      let path: String?
    }
    func group(_ diagnostic: Diagnostic) -> Group {
      Group(rule: diagnostic.rule, path: workspace[diagnostic.primarySpan.source]?.path)
    }
    let original = input
    let known = diagnostics.filter { $0.severity == .error }
    var counts = Dictionary(known.map { (group($0), 1) }, uniquingKeysWith: +)
    let messages = Set(known.map(\.message))
    update(changed)
    let found = diagnostics.filter { $0.severity == .error }
    for diagnostic in found { counts[group(diagnostic), default: 0] -= 1 }
    let more = found.filter { counts[group($0), default: 0] < 0 }
    update(original)
    return more.first { !messages.contains($0.message) } ?? more.first
  }
}

extension ContiguousArray<UInt8> {
  /// Returns the offsets of a name, except within longer names.
  fileprivate func offsets(ofName name: String) -> [Int] {
    let name = Array(name.utf8)
    func isName(_ index: Int) -> Bool {
      indices.contains(index) && CompletionContext.isName(self[index])
    }
    return self[...].ranges(of: name).map(\.lowerBound).filter {
      !isName($0 - 1) && !isName($0 + name.count)
    }
  }
}

extension RenameError {
  static let nothingHere = RenameError(message: "Nothing here can be renamed.")

  static func undefined(_ name: String) -> RenameError {
    RenameError(message: "\"\(name)\" is not defined.")
  }
}
