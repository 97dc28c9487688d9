/// The bijection between the indexes of a store's records and their numbers in the storage. Links
/// are persisted as numbers.
///
/// Index and number are equal, with two exceptions: the records that the store had before the
/// persisted ones were loaded, and the records whose positions those occupy. The bijection does not
/// change afterwards: an index that is assigned to another id has the same number.
package struct RecordNumbering: Sendable {
  private var numbers: [UInt32: UInt32] = [:]
  private var indexes: [UInt32: UInt32] = [:]
  /// The members of both dictionaries. Few records are.
  private var exceptions = RecordSet()

  package init() {}

  /// Creates a numbering.
  ///
  /// - Parameter indexes: The index of each number that differs from it. The initializer adds
  ///   exceptions to make the numbering a bijection.
  init(indexes: [UInt32: UInt32]) {
    self.indexes = indexes
    for (number, index) in indexes { numbers[index] = number }
    let unusedNumbers = numbers.keys.filter { indexes[$0] == nil }.sorted()
    let unusedIndexes = indexes.keys.filter { numbers[$0] == nil }.sorted()
    for (number, index) in zip(unusedNumbers, unusedIndexes) {
      self.indexes[number] = index
      numbers[index] = number
    }
    for number in self.indexes.keys { exceptions.insert(RecordIndex(rawValue: number)) }
  }

  /// Returns the number of an index.
  @inline(__always)
  package func number(of index: RecordIndex) -> UInt32 {
    exceptions.contains(index) ? numbers[index.rawValue] ?? index.rawValue : index.rawValue
  }

  /// Returns the index with a number.
  @inline(__always)
  package func index(of number: UInt32) -> RecordIndex {
    let index = RecordIndex(rawValue: number)
    return exceptions.contains(index)
      ? RecordIndex(rawValue: indexes[number] ?? number) : index
  }

  /// Returns the indexes of numbers.
  ///
  /// - Complexity: O(*m*) in the indexes that differ from their numbers, and one copy of the set.
  package func indexes(of numbers: RecordSet) -> RecordSet {
    var result = numbers
    for number in indexes.keys { result.remove(RecordIndex(rawValue: number)) }
    for (number, index) in indexes where numbers.contains(RecordIndex(rawValue: number)) {
      result.insert(RecordIndex(rawValue: index))
    }
    return result
  }
}
