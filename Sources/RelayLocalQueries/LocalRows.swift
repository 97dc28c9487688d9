public import RelayStore

/// A row of a local query: a record's data with its id.
public struct LocalRow<Fragment: GraphQLFragment>: Sendable, Identifiable {
  private let box: RowBox

  init(_ box: RowBox) { self.box = box }

  /// The record's id. Stable across snapshots.
  public var id: DataID { box.id ?? .root }

  /// The data.
  public var data: Fragment { Fragment(__row: Row(box)) }
}

extension LocalRow: Hashable {
  /// Returns whether two rows belong to the same record and have equal data.
  public static func == (left: LocalRow, right: LocalRow) -> Bool {
    left.box.isIdentical(to: right.box)
      || left.id == right.id && Row(left.box) == Row(right.box)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(Row(box))
  }
}

extension LocalRow: CustomStringConvertible, CustomReflectable {
  /// The id with the data.
  public var description: String { "\(id): \(data)" }

  /// A mirror of the public properties.
  public var customMirror: Mirror {
    Mirror(self, children: ["id": id, "data": data], displayStyle: .struct)
  }
}

/// The rows of a local query at one moment, in order: an immutable value.
///
/// Shares its rows with its copies and with the value after the next change.
public struct LocalRows<Fragment: GraphQLFragment>: Sendable {
  private let list: RowList
  private let range: Range<Int>

  init(_ list: RowList) { self.init(list, 0..<list.count) }

  init(_ list: RowList, _ range: Range<Int>) { (self.list, self.range) = (list, range) }
}

extension LocalRows: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { range.count }

  /// Accesses the row at a position.
  ///
  /// - Complexity: O(log *n*).
  public subscript(position: Int) -> LocalRow<Fragment> {
    precondition(position >= 0 && position < range.count, "Index out of range")
    return LocalRow(list[range.lowerBound + position])
  }
}

extension LocalRows: Equatable {
  public static func == (left: LocalRows, right: LocalRows) -> Bool { left.elementsEqual(right) }
}

extension LocalRows: CustomStringConvertible, CustomReflectable {
  /// The rows.
  public var description: String { Array(self).description }

  /// A mirror of the rows.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}
