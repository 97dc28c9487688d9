/// The elements, received until now, of a list that arrives in parts.
///
/// Every part adds its elements to the list in the store. If another response has replaced that
/// list in the meantime, the entire list is written again from here.
package final class StreamedList: Sendable {
  /// An element: a record, a scalar, or a list.
  package indirect enum Element: Sendable, Equatable {
    case record(DataID)
    case value(FieldValue)
    case list([Element])
    /// A list of records, with `nil` for null.
    case records([DataID?])

    package static let null = Element.value(.null)
  }

  /// Whether the elements are records rather than scalars or lists.
  let hasRecords: Bool
  private let state: Locked<State>

  private struct State {
    var elements: [Element]
    /// The errors of null elements, with paths from the list.
    var errors: [StoredError]
  }

  package init(_ elements: [Element] = [], errors: [StoredError] = [], hasRecords: Bool) {
    state = Locked(State(elements: elements, errors: errors), rank: .leaf)
    self.hasRecords = hasRecords
  }

  package var count: Int { state.withLock { $0.elements.count } }

  /// Writes elements from an index on, filling a gap before them with nulls.
  ///
  /// - Parameter errors: The errors of the elements; they replace earlier ones.
  /// - Returns: The previous number of elements, and the previous last element.
  package func write(
    _ new: [Element], at index: Int, errors: [StoredError] = []
  ) -> (count: Int, last: Element?) {
    state.withLock { state in
      let before = (state.elements.count, state.elements.last)
      while state.elements.count < index { state.elements.append(.null) }
      for (offset, element) in new.enumerated() {
        if index + offset < state.elements.count {
          state.elements[index + offset] = element
        } else {
          state.elements.append(element)
        }
      }
      state.errors.removeAll { error in
        error.elementIndex.map { $0 >= index && $0 - index < new.count } ?? false
      }
      let next = state.errors.firstIndex { $0.elementIndex.map { $0 > index } ?? false }
      state.errors.insert(contentsOf: errors, at: next ?? state.errors.count)
      return before
    }
  }

  /// All elements.
  package var all: [Element] { state.withLock { $0.elements } }

  /// The errors of all elements.
  package var errors: [StoredError] { state.withLock { $0.errors } }
}

extension StoredError {
  /// The index of the list element that the error belongs to.
  fileprivate var elementIndex: Int? {
    if case .index(let index)? = path.components.first { index } else { nil }
  }
}

/// Elements that a part writes to a list.
package struct ListPatch: Sendable {
  /// The index, in the payload, of the record with the list.
  package var record: RecordIndex
  package var key: FieldKey
  /// The index of the first element.
  package var index: Int
  /// The elements, with the payload's record indexes as links.
  package var values: [FieldValue]
  /// The entire list, including these elements.
  package var list: StreamedList
  /// The number of elements before the write, and the last of them.
  var countBefore: Int
  var lastBefore: StreamedList.Element?

  package init(
    record: RecordIndex, key: FieldKey, index: Int, values: [FieldValue],
    list: StreamedList, before: (count: Int, last: StreamedList.Element?)
  ) {
    self.record = record
    self.key = key
    self.index = index
    self.values = values
    self.list = list
    (countBefore, lastBefore) = before
  }

  /// Adds the elements of another patch of the same list and payload, so that the list is written
  /// once.
  ///
  /// - Returns: `false`, without an effect, if the elements do not directly follow this patch's.
  mutating func extend(by patch: ListPatch) -> Bool {
    guard patch.index == index + values.count, patch.key == key else { return false }
    values += patch.values
    return true
  }
}
