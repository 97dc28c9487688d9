/// The parts that the server has announced, by id.
struct AnnouncedParts {
  package struct Part {
    var label: String
    var path: [ResponsePath.Component]
    /// The record that waits for the part; `nil` until its object is found.
    var record: RecordIndex?
    /// The number of elements of a streamed list that have arrived at this path; `nil` before the
    /// first one.
    var elementCount: Int?
    var hasEnded = false
  }

  /// The maximum number of components of a path.
  static let pathLimit = 1_000

  private var parts: ContiguousArray<Part> = []
  private var positions: [ByteString: Int] = [:]
  /// The positions of parts that have ended, for reuse.
  private var free: [Int] = []
  /// The positions of the parts whose objects have not been found.
  var unresolved: [Int] = []
  /// Whether the server has announced a part in any payload. Otherwise the parts follow from the
  /// plan and the missing fields of an object.
  private(set) var isUsed = false

  /// Whether all parts have ended.
  var isEmpty: Bool { positions.isEmpty }

  subscript(position: Int) -> Part {
    get { parts[position] }
    _modify { yield &parts[position] }
  }

  mutating func add(_ announcements: [PartEvent.Announcement]) {
    isUsed = true
    for new in announcements where new.path.components.count <= Self.pathLimit {
      let id = ByteString(new.id)
      if positions[id] != nil { continue }
      let part = Part(label: new.label ?? "", path: new.path.components)
      let position = free.popLast() ?? parts.count
      if position < parts.count { parts[position] = part } else { parts.append(part) }
      positions[id] = position
      unresolved.append(position)
    }
  }

  /// Returns the position of the part with an id; `nil` if there is none.
  func position(of id: String) -> Int? { positions[ByteString(id)] }

  /// Ends the part with an id, and returns it; `nil` if there is none.
  mutating func end(_ id: String) -> Part? {
    guard let position = positions.removeValue(forKey: ByteString(id)) else { return nil }
    parts[position].hasEnded = true
    free.append(position)
    return parts[position]
  }
}
