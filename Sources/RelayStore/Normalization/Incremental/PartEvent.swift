/// An event in the delivery of a response in parts. Every format of incremental delivery is decoded
/// to these events.
enum PartEvent {
  /// Parts that will follow.
  case announce([Announcement])
  /// The fields of an object, or one element of a list; `nil` if the part has failed.
  case fields(UnreadValue?, of: Part)
  /// Elements of a list; null if the rest of the list has failed.
  case items(UnreadValue, of: Part)
  /// An announced part has ended.
  case complete(id: String, errors: [GraphQLError])

  struct Announcement {
    var id: String
    var path: ResponsePath
    var label: String?
  }

  /// The destination of an event's data.
  package struct Part {
    /// The id of the announced part; `nil` in formats without announcements. A part without an id
    /// ends with its event.
    var id: String?
    var path: ResponsePath?
    /// The path below the announced part's path.
    var subPath: ResponsePath = []
    var label: String?
    var errors: [GraphQLError] = []

    /// Whether the format announces its parts.
    var isAnnounced: Bool { id != nil }

    /// The errors by path; `nil` if there are none.
    var errorTree: ErrorTree? { errors.isEmpty ? nil : ErrorTree(errors) }
  }
}
