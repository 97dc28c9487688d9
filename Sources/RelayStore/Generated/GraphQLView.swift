/// A generated struct over a row.
///
/// The only stored property of a conforming type is `let __row: Row`; the accessors here rely on
/// that by casting between the two. Generated code upholds this invariant. The type needs no other
/// member, because the runtime derives the requirements from the row. The protocol refines no
/// protocol of the standard library, because each would cost every struct a table that is built at
/// run time.
public protocol GraphQLView: RowValue {}

extension GraphQLView {
  /// The row that the properties are computed from.
  ///
  /// - Precondition: The struct stores a row and nothing else.
  public var __row: Row { unsafeBitCast(self, to: Row.self) }

  /// Makes a struct over a row.
  ///
  /// - Precondition: The struct stores a row and nothing else.
  public init(__row: Row) { self = unsafeBitCast(__row, to: Self.self) }

  /// Makes a value from the values of its slots; slots left out at the end are absent.
  @_semantics("optimize.sil.specialize.generic.never")
  public init<each Value: RowValue>(_ plan: SelectionPlan, _ values: repeat each Value) {
    self.init(__row: Row(plan, repeat each values))
  }

  /// Makes the object whose type condition `view` shows, from the same row.
  @_semantics("optimize.sil.specialize.generic.never")
  public init(__of view: some GraphQLView) { self.init(__row: view.__row) }

  /// The object's concrete type.
  @_semantics("optimize.sil.specialize.generic.never")
  public var __typename: String { __row.storage.typename }

  @_semantics("optimize.sil.specialize.generic.never")
  public init?(__slot: RowSlot) {
    guard let row = __slot.row else { return nil }
    self.init(__row: Row(row))
  }

  @_semantics("optimize.sil.specialize.generic.never")
  public static func == (left: Self, right: Self) -> Bool { left.__row == right.__row }

  @_semantics("optimize.sil.specialize.generic.never")
  public func hash(into hasher: inout Hasher) { hasher.combine(__row) }

  /// The fields with their values, for `print`, `dump`, the debugger and failing tests.
  @_semantics("optimize.sil.specialize.generic.never")
  public var customMirror: Mirror { __row.storage.mirror(of: self) }

  /// The hash value; declared here so that a field called `hashValue` does not replace it.
  @_semantics("optimize.sil.specialize.generic.never")
  public var hashValue: Int { __row.hashValue }
}

/// An object of an optimistic response, as an enum with a case for each set of type conditions.
public protocol GraphQLCases: SlotValue {}

extension GraphQLCases {
  /// Returns `nil`: reading yields the structs of `Data`, never these enums.
  public init?(__slot: RowSlot) { return nil }
}

/// A named fragment; the struct is a snapshot of its data.
public protocol GraphQLFragment: GraphQLView {
  /// The plan of the row's slots.
  static var __plan: SelectionPlan { get }
  /// The error type that reading the fragment throws.
  associatedtype __Failure: ReadFailure = Never
  /// The values of the variables that providers fill.
  static var __provided: Variables { get }
}

extension GraphQLFragment {
  public static var __provided: Variables { [:] }
}
