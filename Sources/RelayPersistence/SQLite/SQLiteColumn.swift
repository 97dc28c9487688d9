public import RelayStore

/// A column of a ``SQLiteTable``: its name, and its value for a fragment.
public struct SQLiteColumn<Fragment: GraphQLFragment>: Sendable {
  /// The name. Any characters are allowed except U+0000.
  public let name: String
  let value: @Sendable (Fragment) -> SQLiteValue

  /// Creates a column with the value of a property.
  ///
  ///     SQLiteColumn("name", \.name)
  ///
  /// Strings are stored as text, integers and Booleans as integers, a `Double` as a real number,
  /// and `nil` as null. A custom scalar is stored as its JSON: a date as text, for example. Lists
  /// and objects are stored as JSON text, as are numbers with more digits than a `Double` has.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - property: The property that provides the value.
  public init<Value: SlotValue>(
    _ name: String, _ property: any KeyPath<Fragment, Value> & Sendable
  ) {
    self.init(name) { SQLiteValue($0[keyPath: property]) }
  }

  /// Creates a column with a custom value.
  ///
  ///     SQLiteColumn("tags") { .text($0.tags.joined(separator: " ")) }
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - value: Called on the writer's queue. When its result for equal fragments changes, also
  ///     change the table's `version`.
  public init(_ name: String, _ value: @escaping @Sendable (Fragment) -> SQLiteValue) {
    self.name = name
    self.value = value
  }
}

/// The builder of a table's columns.
@resultBuilder
public enum SQLiteColumnBuilder<Fragment: GraphQLFragment> {
  /// Returns a column with the fragment's type.
  public static func buildExpression(_ column: SQLiteColumn<Fragment>) -> SQLiteColumn<Fragment> {
    column
  }

  /// Returns the columns of a block.
  public static func buildBlock(_ columns: SQLiteColumn<Fragment>...) -> [SQLiteColumn<Fragment>] {
    columns
  }
}
