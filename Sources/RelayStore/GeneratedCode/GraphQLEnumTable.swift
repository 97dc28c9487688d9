/// The cases of an enum type, by raw value.
///
/// Used by generated enums with many values. A `switch` over strings would compare them one by one,
/// and the Swift compiler would need time quadratic in their number.
public struct GraphQLEnumTable<Value: GraphQLEnum>: Sendable {
  private let cases: [ByteString: Value]

  /// Creates the table of an enum type.
  ///
  /// - Parameter cases: All cases except `unrecognized`.
  /// - Complexity: O(*n*) in the cases.
  public init(_ cases: [Value]) {
    self.cases = Dictionary(cases.map { (ByteString($0.rawValue), $0) }) { first, _ in first }
  }

  /// Returns the case of a raw value; `nil` if the compiled schema does not have the value.
  public subscript(rawValue: String) -> Value? { cases[ByteString(rawValue)] }
}
