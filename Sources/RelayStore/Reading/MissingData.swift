/// Data of an operation that the store does not have.
public struct MissingData: Hashable, Sendable {
  /// The location in the operation's response.
  public var path: ResponsePath
  /// The id of the record with the missing data; `nil` if a null or a deleted record leaves the
  /// operation without data.
  public var recordID: DataID?
  /// The type of that record; `nil` if the store does not have the record.
  public var typeName: String?
  /// The missing field, with its arguments as in a store dump. `nil` if the store does not have the
  /// record, or does not know whether its type satisfies a type condition.
  public var storageKey: String?
}

extension MissingData: CustomStringConvertible {
  public var description: String {
    guard let recordID else { return "\(path): null, or deleted" }
    let record = "record \"\(recordID.rawValue)\""
    guard let typeName else { return "\(path): no \(record)" }
    guard let storageKey else { return "\(path): \(record) has the unknown type \(typeName)" }
    return "\(path): \(record) of type \(typeName) is missing \(storageKey)"
  }
}
