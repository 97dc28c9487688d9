import GraphQLLanguage

/// A builder for one generated file. Declarations can be added in any order.
struct GeneratedFileBuilder {
  private let sourceName: String
  private let access: String
  private var declarations: [(span: Span, text: [UInt8])] = []
  /// The modules that the file always imports.
  var imports = ["RelayStore"]
  /// The modules that the file always imports, but that only private declarations use.
  var privateImports: [String] = []
  /// The modules that the declarations refer to.
  private var modules: Set<String> = []

  init(sourceName: String, access: String) {
    self.sourceName = sourceName
    self.access = access
  }

  /// Adds the declarations that `body` prints for a definition.
  ///
  /// - Parameters:
  ///   - span: The definition's span, which determines where the declarations go in the file.
  ///   - modules: The modules that the declarations refer to.
  mutating func add(
    at span: Span, modules: [String] = [], _ body: (inout SwiftPrinter) -> Void
  ) {
    self.modules.formUnion(modules)
    var printer = SwiftPrinter()
    body(&printer)
    if !printer.buffer.isEmpty { declarations.append((span, printer.buffer.bytes)) }
  }

  /// Whether the file has no declarations.
  var isEmpty: Bool { declarations.isEmpty }

  /// The file's contents: a header, the imports, and the declarations in source order. Without
  /// declarations, only the header.
  var text: [UInt8] {
    let name = SwiftEscaping.commentLine(sourceName)
    var text = Array("\(OutputDirectory.header) from \(name). Do not edit.\n".utf8)
    if declarations.isEmpty { return text }
    text.reserveCapacity(declarations.reduce(1 << 8) { $0 + $1.text.count })
    for module in privateImports { text += importLine(module, privateModifier).utf8 }
    let modifier = access.isEmpty ? "" : access + " "
    for module in imports + modules.sorted() { text += importLine(module, modifier).utf8 }
    let ordered = declarations.enumerated().sorted { left, right in
      (left.element.span, left.offset) < (right.element.span, right.offset)
    }
    for (_, declaration) in ordered {
      if declaration.text.first != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
      text += declaration.text
    }
    return text
  }

  /// The access modifier of imports that only private declarations use. Swift warns if it is
  /// `public` or `package`, and rejects a missing modifier in a module with a `package` import.
  private var privateModifier: String { access == "package" ? "internal " : "" }

  /// Returns an import declaration. Every file that imports the runtime uses its SPI: structs
  /// conform to `GraphQLView`, and the shared types file names the format.
  private func importLine(_ module: String, _ modifier: String) -> String {
    let attribute = module == "RelayStore" ? "@_spi(GeneratedCode) " : ""
    return "\(attribute)\(modifier)import \(module)\n"
  }
}
