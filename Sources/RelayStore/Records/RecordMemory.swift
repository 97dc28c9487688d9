/// What is remembered of records above them, and is to be forgotten with them.
package protocol RecordMemory: AnyObject, Sendable {
  /// Forgets what is remembered of a record that is gone.
  func forget(_ index: RecordIndex)
  /// Forgets what is remembered of all records.
  func forgetAll()
}
