/// Writes documents as text, canonically: two spaces for each level, one blank line between definitions.
///
///     Printer.text(of: document)
///     Printer.text(of: field, symbols: document.symbols)
struct Printer {
  let symbols: SymbolTable
  var output: [UInt8] = []
  /// How many levels the current line is indented.
  var level = 0
  /// How many bytes of the output are indentation.
  var indentationCount = 0

  /// False where an opening brace would be read as part of the definition before.
  var allowsShorthand = true

  /// Arguments longer than this stand one to a line.
  static let lineLength = 80

  init(symbols: SymbolTable) { self.symbols = symbols }

  /// The output as a string.
  var text: String { String(decoding: output, as: UTF8.self) }

  // MARK: Pieces

  mutating func write(_ text: StaticString) {
    output.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }

  mutating func write(_ symbol: Symbol) { write(symbols[symbol]) }

  mutating func write(_ name: Name) { write(symbols[name.symbol]) }

  mutating func newline() {
    output.append(0x0A)
    output.append(contentsOf: repeatElement(0x20, count: level * 2))
    indentationCount += level * 2
  }

  /// Writes elements with a separator between them.
  mutating func join<Element>(
    _ elements: [Element], _ separator: StaticString, _ write: (inout Printer, Element) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { self.write(separator) }
      write(&self, element)
    }
  }

  /// Writes elements in braces, one to a line; nothing when there are none.
  mutating func block<Element>(_ elements: [Element], _ write: (inout Printer, Element) -> Void) {
    guard !elements.isEmpty else { return }
    lines("{", elements, "}", write)
  }

  /// Writes elements one to a line, indented, between an opening and a closing text.
  mutating func lines<Element>(
    _ open: StaticString, _ elements: [Element], _ close: StaticString,
    _ write: (inout Printer, Element) -> Void
  ) {
    self.write(open)
    level += 1
    for element in elements {
      newline()
      write(&self, element)
    }
    level -= 1
    newline()
    self.write(close)
  }

  /// Writes elements in parentheses: on one line, or one to a line when `breaks` says so about the first form.
  mutating func parenthesized<Element>(
    _ elements: [Element], breaks: (_ printer: Printer, _ start: Int) -> Bool,
    _ write: (inout Printer, Element) -> Void
  ) {
    guard !elements.isEmpty else { return }
    let start = output.count
    let indentation = indentationCount
    self.write("(")
    join(elements, ", ", write)
    self.write(")")
    guard breaks(self, start) else { return }
    output.removeLast(output.count - start)
    indentationCount = indentation
    lines("(", elements, ")", write)
  }

  /// The number of UTF-16 units written since an offset, indentation not counted.
  func length(since start: Int, indentation: Int) -> Int {
    var count = 0
    for byte in output[start...] where byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
    return count - (indentationCount - indentation)
  }
}
