/// The number a store gives a record id; links are indexes.
package struct RecordIndex: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// No record: a null in a list of links.
  package static let none = RecordIndex(rawValue: .max)

  package var position: Int { Int(rawValue) }
}

/// The ids a store knows and their numbers.
package struct IdentityTable {
  private var indexes: [DataID: RecordIndex] = [:]
  private var ids: [DataID?] = []
  private var free: [RecordIndex] = []

  /// How many numbers were given out, those that are free again included.
  package var capacity: Int { ids.count }

  /// The number of an id, a new one if it has none.
  package mutating func intern(_ id: DataID) -> RecordIndex {
    if let index = indexes[id] { return index }
    let index = free.popLast() ?? RecordIndex(rawValue: UInt32(ids.count))
    indexes[id] = index
    if index.position < ids.count { ids[index.position] = id } else { ids.append(id) }
    return index
  }

  /// The number of an id, if it has one.
  package func index(of id: DataID) -> RecordIndex? { indexes[id] }

  /// The id behind a number that is in use.
  package func id(of index: RecordIndex) -> DataID? {
    index.position < ids.count ? ids[index.position] : nil
  }

  /// Every number in use with its id.
  package var all: [(index: RecordIndex, id: DataID)] { indexes.map { ($0.value, $0.key) } }

  /// Forgets an id; its number may be given out again.
  package mutating func release(_ index: RecordIndex) {
    guard let id = id(of: index) else { return }
    indexes[id] = nil
    ids[index.position] = nil
    free.append(index)
  }
}
