/// The index of a record in a store. Links are stored as indexes.
@usableFromInline
package struct RecordIndex: Hashable, Sendable {
  @usableFromInline package let rawValue: UInt32

  @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }
  package init(_ position: Int) { rawValue = UInt32(position) }

  /// The absence of a record: null in a list of links.
  package static let none = RecordIndex(rawValue: .max)

  /// The index as a position; out of bounds of every array for ``none`` and for a damaged index.
  package var position: Int { Int(clamping: rawValue) }
}
