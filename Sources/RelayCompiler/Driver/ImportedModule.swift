import GraphQLLanguage

/// Another module whose fragments and shared types the sources may use.
package struct ImportedModule {
  package let name: String
  package let sources: [CompilationInput.SourceFile]
  /// The module that declares the shared types, if it is a different one.
  package let schemaModule: String?

  package init(name: String, sources: [CompilationInput.SourceFile], schemaModule: String? = nil) {
    self.name = name
    self.sources = sources
    self.schemaModule = schemaModule
  }
}

/// The documents of other modules.
struct ImportedDocuments {
  private let modules: [(module: ImportedModule, documents: [Document])]

  init(_ modules: [(module: ImportedModule, documents: [Document])]) {
    self.modules = modules.filter { module in
      module.documents.contains { !$0.definitions.isEmpty }
    }
  }

  var isEmpty: Bool { modules.isEmpty }

  /// The documents reduced to their fragments. Operations are removed because their names need not
  /// be unique across modules.
  var fragments: [Document] {
    modules.flatMap(\.documents).map { document in
      var document = document
      document.definitions.removeAll {
        if case .fragment = $0 { false } else { true }
      }
      return document
    }
  }

  /// Returns the program without the imported fragments that are unreachable from the module's own
  /// definitions.
  ///
  /// - Parameter isOwn: Whether a source belongs to the compiled module.
  func used(of program: IR.Program, isOwn: (SourceID) -> Bool) -> IR.Program {
    var dependencies = SelectionDependencies()
    for operation in program.operations { dependencies.add(operation.selections) }
    for fragment in program.fragments where isOwn(fragment.definition.span.source) {
      dependencies.add(fragment.selections)
    }
    let used = Set(dependencies.addFragments(among: program.fragmentsByName()).map(\.name))
    var result = program
    result.fragments = program.fragments.filter {
      isOwn($0.definition.span.source) || used.contains($0.name)
    }
    return result
  }

  /// Returns the fragments and shared types declared by the modules that the program may use.
  ///
  /// - Parameters:
  ///   - module: The compiled module.
  ///   - schemaModule: The module that declares all shared types.
  func shared(with program: IR.Program, module: String?, schema schemaModule: String?)
    -> SharedModules
  {
    var shared = SharedModules()
    if let schemaModule, schemaModule != module { shared.schemaModule = schemaModule }
    for (imported, documents) in modules {
      let definitions = Lowering.program(of: documents, schema: program.schema)
      for fragment in definitions.fragments { shared.fragments[fragment.name] = imported.name }
      var used = UsedTypes(schema: program.schema)
      used.addLeaves(of: definitions)
      for type in used.leaves.union(used.inputs) where shared.types[type] == nil {
        shared.types[type] = imported.schemaModule ?? imported.name
      }
    }
    return shared
  }
}
