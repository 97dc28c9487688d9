/// A note about one item of an imported Apollo project.
struct MigrationNote: Hashable {
  /// The sections of the report, in order.
  enum Kind: String, CaseIterable {
    /// There is no counterpart: a person has to do the work.
    case manual
    /// A document or a schema was changed.
    case changed
    /// An option has a counterpart, or needs none.
    case mapped

    var title: String {
      switch self {
      case .manual: "To do by hand"
      case .changed: "Changed in schemas and documents"
      case .mapped: "Carried over"
      }
    }
  }

  let kind: Kind
  /// `path:line`, or only a path; empty if the item is in no file.
  let place: String
  /// The item, as its author wrote it.
  let subject: String
  /// The outcome, or advice on what to do.
  let text: String

  /// The item as an element of a Markdown list.
  var markdown: String {
    let place = place.isEmpty ? "" : Self.code(place) + " "
    return "- \(place)\(Self.code(subject)): \(Self.line(text))\n"
  }

  /// Returns a string as inline code on one line.
  static func code(_ text: String) -> String {
    let line = line(text)
    return line.contains("`") ? "`` \(line) ``" : "`\(line)`"
  }

  private static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

extension [MigrationNote] {
  /// Appends a note.
  mutating func add(
    _ kind: MigrationNote.Kind, at place: String, of subject: String, _ text: String
  ) {
    append(MigrationNote(kind: kind, place: place, subject: subject, text: text))
  }
}
