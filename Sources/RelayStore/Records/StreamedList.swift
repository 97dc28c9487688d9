/// The elements of a list that arrives in parts, as far as they have arrived.
///
/// Every part adds its elements to the list in the store. If another response has replaced that list
/// meanwhile, the whole list is written again from here.
package final class StreamedList: Sendable {
  /// An element: a record, a scalar, or a list of elements.
  package indirect enum Element: Sendable, Equatable {
    case record(DataID)
    case value(FieldValue)
    case list([Element])

    package static let null = Element.value(.null)
  }

  /// Whether the elements are records rather than scalars or lists.
  package let hasRecords: Bool
  private let elements: Locked<[Element]>

  package init(_ elements: [Element] = [], hasRecords: Bool) {
    self.elements = Locked(elements, rank: .leaf)
    self.hasRecords = hasRecords
  }

  package var count: Int { elements.withLock { $0.count } }

  /// Writes elements from an index on; a gap before them is filled with nulls.
  ///
  /// - Returns: The number of elements before, and the last of them.
  package func write(_ new: [Element], at index: Int) -> (count: Int, last: Element?) {
    elements.withLock { elements in
      let before = (elements.count, elements.last)
      while elements.count < index { elements.append(.null) }
      for (offset, element) in new.enumerated() {
        if index + offset < elements.count {
          elements[index + offset] = element
        } else {
          elements.append(element)
        }
      }
      return before
    }
  }

  /// All elements.
  package var all: [Element] { elements.withLock { $0 } }
}

/// Elements that a part writes to a list.
package struct ListPatch: Sendable {
  /// The record that has the list, by its index in the payload.
  package var record: RecordIndex
  package var key: FieldKey
  /// The index of the first element.
  package var index: Int
  /// The elements, with the payload's own record indexes as links.
  package var values: [FieldValue]
  /// The errors of null elements, with paths from the list.
  package var errors: [StoredError]
  /// The whole list, with these elements.
  package var list: StreamedList
  /// The number of elements that were written before, and the last of them.
  package var countBefore: Int
  package var lastBefore: StreamedList.Element?

  package init(
    record: RecordIndex, key: FieldKey, index: Int, values: [FieldValue], errors: [StoredError],
    list: StreamedList, before: (count: Int, last: StreamedList.Element?)
  ) {
    self.record = record
    self.key = key
    self.index = index
    self.values = values
    self.errors = errors
    self.list = list
    (countBefore, lastBefore) = before
  }
}
