/// The records that parts may belong to, numbered in the order they are found.
struct PartRecords {
  private(set) var ids: ContiguousArray<DataID> = []
  private var numbers: [DataID: RecordIndex] = [:]

  /// Returns the number of a record.
  mutating func number(of id: DataID) -> RecordIndex {
    if let number = numbers[id] { return number }
    let number = RecordIndex(ids.count)
    numbers[id] = number
    ids.append(id)
    return number
  }

  /// Returns the id of a numbered record.
  func id(of number: RecordIndex) -> DataID { ids[number.position] }

  mutating func reserveCapacity(forMore count: Int) {
    ids.reserveCapacity(ids.count + count)
    numbers.reserveCapacity(ids.count + count)
  }
}
