/// Text to insert with stops for the cursor.
struct Snippet: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case text(String)
    /// A stop with selected text, which may be empty.
    case stop(String)
    /// A stop that offers values.
    case choice([String])
    /// The last stop; without one, the cursor moves to the end.
    case end
  }

  var parts: [Part]

  init(_ parts: [Part]) { self.parts = parts }
}
