import GraphQLLanguage

/// A check that providers are nonisolated, as generated code requires.
///
/// In a module that isolates declarations to the main actor by default, Swift would report the
/// provider in generated code. The compiler does not know the module's default, so the rule applies
/// to every module.
enum ProviderIsolation {
  private typealias Declaration = (file: SourceID, getter: ProviderScanner.Getter)

  /// Returns an error for each provider that a file declares without `nonisolated`.
  static func diagnostics(
    for program: IR.Program, _ files: [ParsedFile], in parsed: ParsedSources
  ) -> [Diagnostic] {
    let variables = program.fragments.filter { parsed.isOwn($0.definition.span.source) }
      .flatMap(\.fragmentVariables).filter { $0.provided != nil }
    if variables.isEmpty { return [] }
    var declarations: [String: [Declaration]] = [:]
    for file in files {
      for getter in file.getters() {
        declarations[getter.type, default: []].append((file.text, getter))
      }
    }
    return variables.compactMap { variable in
      guard let provider = variable.provided?.provider,
        let name = provider.split(separator: ".").last,
        let found = declarations[String(name)], !found.contains(where: \.getter.isNonisolated)
      else { return nil }
      let labels = found.prefix(1).map { declaration in
        let start = declaration.getter.offset
        return Diagnostic.Label(
          Span(start: start, end: start + 3, source: declaration.file),
          "may be isolated to the main actor")
      }
      return Diagnostic(
        rule: "provided-variables",
        message:
          "Provider \"\(provider)\" is not declared nonisolated. Operations call its get() on "
          + "whatever thread they are created.", at: variable.span, labels: labels,
        help: "Write \"nonisolated\" before its type or before get().")
    }
  }
}
