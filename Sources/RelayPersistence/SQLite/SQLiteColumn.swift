public import RelayStore

/// A column of a ``SQLiteTable``: its name, and its value for a fragment.
public struct SQLiteColumn<Fragment: GraphQLFragment>: Sendable {
  /// The name, which may have any characters but U+0000.
  public let name: String
  let value: @Sendable (Fragment) -> SQLiteValue

  /// Creates a column with the value of a property.
  ///
  ///     SQLiteColumn("name", \.name)
  ///
  /// A string is stored as text, an integer and a Boolean as integers, a `Double` as a real number,
  /// `nil` as null. A custom scalar is stored as its JSON: a date as text, for example. A list or an
  /// object is JSON text, and so is a number with more digits than a `Double` has.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - property: The property with its value.
  public init<Value: SlotValue>(
    _ name: String, _ property: any KeyPath<Fragment, Value> & Sendable
  ) {
    self.init(name) { SQLiteValue($0[keyPath: property]) }
  }

  /// Creates a column with a value of one's own.
  ///
  ///     SQLiteColumn("tags") { .text($0.tags.joined(separator: " ")) }
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - value: Called on the queue of the writer. When what it returns for equal fragments is changed,
  ///     change the table's `version` too.
  public init(_ name: String, _ value: @escaping @Sendable (Fragment) -> SQLiteValue) {
    self.name = name
    self.value = value
  }
}

/// The builder of a table's columns.
@resultBuilder
public enum SQLiteColumnBuilder<Fragment: GraphQLFragment> {
  /// Returns a column, whose type is the fragment's.
  public static func buildExpression(_ column: SQLiteColumn<Fragment>) -> SQLiteColumn<Fragment> {
    column
  }

  /// Returns the columns of a block.
  public static func buildBlock(_ columns: SQLiteColumn<Fragment>...) -> [SQLiteColumn<Fragment>] {
    columns
  }
}
