extension Printer {
  mutating func write(_ value: Value) {
    switch value.kind {
    case .variable(let name):
      write("$")
      write(name)
    case .int(let text), .float(let text), .enumValue(let text): write(text)
    case .string(let text, let isBlock): writeString(text, isBlock: isBlock)
    case .boolean(let value): value ? write("true") : write("false")
    case .null: write("null")
    case .list(let values):
      write("[")
      join(values, separator: ", ") { $0.write($1) }
      write("]")
    case .object(let fields):
      write("{")
      join(fields, separator: ", ") { printer, field in
        printer.write(field.name)
        printer.write(": ")
        printer.write(field.value)
      }
      write("}")
    }
  }

  mutating func write(_ argument: Argument) {
    write(argument.name)
    write(": ")
    write(argument.value)
  }

  /// Writes directives, each preceded by a space.
  mutating func write(_ directives: [Directive]) {
    for directive in directives {
      write(" @")
      write(directive.name)
      parenthesized(directive.arguments, breaks: { _, _ in false }) { $0.write($1) }
    }
  }

  mutating func write(_ type: TypeReference) {
    write(type.shape.text(around: symbols[type.name.symbol]))
  }

  /// Writes a description on its own lines.
  mutating func write(_ description: Description?) {
    guard let description else { return }
    writeString(description.text, isBlock: description.isBlock)
    newline()
  }

  mutating func writeString(_ text: String, isBlock: Bool) {
    guard isBlock else { return write(StringLiteral.text(of: text)) }
    let lines = Array(BlockString.text(of: text).utf8)
      .split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if index > 0 { newline() }
      output.append(contentsOf: line)
    }
  }
}
