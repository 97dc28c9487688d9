import GraphQLLanguage

/// The errors for references to a module that has another server's schema.
package enum ForeignFragments {
  private static let rule = "other-schema"

  /// Replaces unknown-fragment errors when a module with another schema declares the fragment.
  ///
  /// - Complexity: O(*n*) in the diagnostics. The modules are parsed only if there is such an
  ///   error.
  package static func explaining(
    _ diagnostics: [Diagnostic], for input: CompilationInput, in workspace: Workspace
  ) -> [Diagnostic] {
    let isUnknown = { (diagnostic: Diagnostic) in diagnostic.rule == "known-fragment-names" }
    guard !input.foreignModules.isEmpty, diagnostics.contains(where: isUnknown) else {
      return diagnostics
    }
    let modules = self.modules(of: input)
    return diagnostics.map { diagnostic in
      guard isUnknown(diagnostic), let name = workspace.text(of: diagnostic.primarySpan),
        let module = modules[name]
      else { return diagnostic }
      return Diagnostic(
        rule: rule,
        message:
          "Fragment \"\(name)\" belongs to module \"\(module)\", which has a different schema.",
        locations: diagnostic.locations, labels: diagnostic.labels, help: help(module))
    }
  }

  /// Returns an error if the module that declares all shared types has another schema.
  package static func schemaModuleDiagnostics(
    for input: CompilationInput, in configuration: ConfigurationSource?
  ) -> [Diagnostic] {
    guard let module = input.options.schemaModule, module != input.options.module,
      input.foreignModules.contains(where: { $0.name == module })
    else { return [] }
    let location = configuration?.location(of: module, in: "schemaModule")
    return [
      Diagnostic(
        rule: rule,
        message: "\"schemaModule\" names module \"\(module)\", which has a different schema.",
        locations: location.map { [$0] } ?? [], help: help(module))
    ]
  }

  private static func help(_ module: String) -> String {
    "If both schemas come from the same server, add \"sameSchema\": {\"\(module)\": true} to the "
      + "configuration."
  }

  /// Returns the name of the module that declares each fragment, by fragment name.
  private static func modules(of input: CompilationInput) -> [String: String] {
    let workspace = Workspace()
    var modules: [String: String] = [:]
    for module in input.foreignModules {
      for file in module.sources {
        for fragment in ParsedFile(file, in: workspace).names.fragments {
          modules[workspace.symbols[fragment]] = module.name
        }
      }
    }
    return modules
  }
}

extension Workspace {
  /// Returns the string at a span; `nil` if the span belongs to no source.
  fileprivate func text(of span: Span) -> String? {
    guard let bytes = self[span.source]?.bytes, span.start <= span.end, Int(span.end) <= bytes.count
    else { return nil }
    return String(decoding: bytes[Int(span.start)..<Int(span.end)], as: UTF8.self)
  }
}
