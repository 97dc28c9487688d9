/// The arguments of a field, a directive or a spread fragment.
struct Signature: Hashable, Sendable {
  struct Parameter: Hashable, Sendable {
    /// The declaration, such as `first: Int = 10`.
    let declaration: String
    /// The range of the declaration in the label, in UTF-16 units.
    let range: Range<Int>
    /// The description, in Markdown.
    let documentation: String
  }

  private(set) var label: String
  /// The description, in Markdown.
  let documentation: String
  private(set) var parameters: [Parameter] = []
  /// The index of the parameter at the position.
  let active: Int

  /// - Parameters:
  ///   - name: The label before the parentheses.
  ///   - result: The label after them.
  init(
    _ name: String, _ entries: [(declaration: String, documentation: String)], result: String,
    documentation: String, active: Int
  ) {
    self.documentation = documentation
    self.active = active
    label = name + "("
    for entry in entries {
      if !parameters.isEmpty { label += ", " }
      let start = label.utf16.count
      label += entry.declaration
      parameters.append(
        Parameter(
          declaration: entry.declaration, range: start..<label.utf16.count,
          documentation: entry.documentation))
    }
    label += ")" + result
  }
}
