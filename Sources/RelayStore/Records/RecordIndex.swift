/// The number a store gives a record id; links are indexes.
package struct RecordIndex: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package init(_ position: Int) { rawValue = UInt32(position) }

  /// No record: a null in a list of links.
  package static let none = RecordIndex(rawValue: .max)

  package var position: Int { Int(rawValue) }
}
