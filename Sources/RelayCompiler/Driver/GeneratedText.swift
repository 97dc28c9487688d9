import GraphQLLanguage

/// The text of one generated file while its declarations are collected.
struct GeneratedText {
  private let sourceName: String
  private let access: String
  private var declarations: [(place: Span, text: [UInt8])] = []
  /// The modules to import.
  var imports = ["RelayStore"]
  /// Other modules that the declarations name.
  private var modules: Set<String> = []

  init(sourceName: String, access: String) {
    self.sourceName = sourceName
    self.access = access
  }

  /// Adds what `body` prints for a definition.
  ///
  /// - Parameter modules: Those that it names.
  mutating func add(
    at place: Span, modules: [String] = [], _ body: (inout SwiftPrinter) -> Void
  ) {
    self.modules.formUnion(modules)
    var printer = SwiftPrinter()
    body(&printer)
    if !printer.buffer.isEmpty { declarations.append((place, printer.buffer.bytes)) }
  }

  /// Whether nothing is declared in it.
  var isEmpty: Bool { declarations.isEmpty }

  /// The file: a header, and the declarations in the order of the source.
  var text: [UInt8] {
    let name = SwiftText.commentLine(sourceName)
    var text = Array("\(OutputDirectory.header) from \(name). Do not edit.\n".utf8)
    if declarations.isEmpty { return text }
    text.reserveCapacity(declarations.reduce(1 << 8) { $0 + $1.text.count })
    let modifier = access.isEmpty ? "" : access + " "
    for module in imports + modules.sorted() { text += "\(modifier)import \(module)\n".utf8 }
    let ordered = declarations.enumerated().sorted { left, right in
      (left.element.place, left.offset) < (right.element.place, right.offset)
    }
    for (_, declaration) in ordered {
      if declaration.text.first != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
      text += declaration.text
    }
    return text
  }
}
