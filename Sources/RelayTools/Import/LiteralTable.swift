/// A table written as a string.
enum LiteralTable {
  /// Returns the headings, each with the indented lines that follow it.
  static func sections(_ text: String) -> [(heading: String, lines: [String])] {
    text.split(separator: "\n").reduce(into: []) { sections, line in
      if line.first == " ", let last = sections.indices.last {
        sections[last].lines.append(String(line.drop { $0 == " " }))
      } else {
        sections.append((String(line), []))
      }
    }
  }
}
