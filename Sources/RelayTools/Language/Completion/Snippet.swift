/// Text to insert with stops for the cursor.
struct Snippet: Hashable, Sendable {
  enum Element: Hashable, Sendable {
    case text(String)
    /// A stop with selected text, which may be empty.
    case stop(String)
    /// A stop that offers values.
    case choice([String])
    /// The last stop; without one, the cursor moves to the end.
    case end
  }

  var elements: [Element]

  init(_ elements: [Element]) { self.elements = elements }
}
