/// A printer of documents in canonical form: two spaces per level, and one blank line between
/// definitions.
///
///     var printer = Printer(symbols: document.symbols)
///     printer.write(document)
///     let text = printer.text
struct Printer {
  let symbols: SymbolTable
  var output: [UInt8] = []
  /// The indentation level of the current line.
  var level = 0
  /// The number of bytes in `output` that are indentation.
  var indentationCount = 0

  /// Whether an anonymous query can omit its keyword. It cannot after some definitions, where its
  /// opening brace would be parsed as their block; see ``Definition/canBeFollowedByBlock``.
  var allowsShorthand = true

  /// The maximum length of a field, in UTF-16 units, with all arguments on one line.
  static let lineLength = 80

  init(symbols: SymbolTable) { self.symbols = symbols }

  /// The output as a string.
  var text: String { String(decoding: output, as: UTF8.self) }

  // MARK: Pieces
  //
  // Not inlined: with a hundred callers, every copy costs compile time.

  @inline(never)
  mutating func write(_ text: StaticString) {
    output.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(never)
  mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }

  mutating func write(_ symbol: Symbol) { write(symbols[symbol]) }

  mutating func write(_ name: Name) { write(symbols[name.symbol]) }

  @inline(never)
  mutating func newline() {
    output.append(0x0A)
    output.append(contentsOf: repeatElement(0x20, count: level * 2))
    indentationCount += level * 2
  }

  /// Writes elements with a separator between them.
  @inline(never)
  mutating func join<Element>(
    _ elements: [Element], separator: StaticString, _ write: (inout Printer, Element) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { self.write(separator) }
      write(&self, element)
    }
  }

  /// Writes elements in braces, one per line. No elements, no braces.
  mutating func block<Element>(_ elements: [Element], _ write: (inout Printer, Element) -> Void) {
    guard !elements.isEmpty else { return }
    lines(elements, open: "{", close: "}", write)
  }

  /// Writes elements between `open` and `close`, indented and one per line.
  @inline(never)
  mutating func lines<Element>(
    _ elements: [Element], open: StaticString, close: StaticString,
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

  /// Writes elements in parentheses on one line, then rewrites them one per line if `breaks`
  /// returns true for that output.
  @inline(never)
  mutating func parenthesized<Element>(
    _ elements: [Element], breaks: (_ printer: Printer, _ start: Int) -> Bool,
    _ write: (inout Printer, Element) -> Void
  ) {
    guard !elements.isEmpty else { return }
    let start = output.count
    let indentation = indentationCount
    self.write("(")
    join(elements, separator: ", ", write)
    self.write(")")
    guard breaks(self, start) else { return }
    output.removeLast(output.count - start)
    indentationCount = indentation
    lines(elements, open: "(", close: ")", write)
  }

  /// Returns the number of UTF-16 units written since an offset, not counting indentation.
  func length(since start: Int, indentation: Int) -> Int {
    var count = 0
    for byte in output[start...] where byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
    return count - (indentationCount - indentation)
  }
}
