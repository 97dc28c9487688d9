/// A struct over a row: every generated struct that shows data.
///
/// Its only stored property is `let __row: Row`; it needs no other member, because what the
/// protocols ask for is made from the row here. It refines no protocol of the standard library:
/// each that it did would cost every struct a table that is built at run time.
public protocol GraphQLView: RowValue {}

extension GraphQLView {
  /// What the properties are computed from.
  ///
  /// - Precondition: The struct stores a row and nothing else.
  public var __row: Row { unsafeBitCast(self, to: Row.self) }

  /// - Precondition: The struct stores a row and nothing else.
  public init(__row: Row) { self = unsafeBitCast(__row, to: Self.self) }

  /// A value built by hand; slots that are left out at the end are absent.
  @_semantics("optimize.sil.specialize.generic.never")
  public init<each Value: RowValue>(_ plan: SelectionPlan, _ values: repeat each Value) {
    self.init(__row: Row(plan, repeat each values))
  }

  /// The same row, seen as the object whose type condition a view shows.
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

  /// Declared so that a field called `hashValue` does not take its place.
  @_semantics("optimize.sil.specialize.generic.never")
  public var hashValue: Int { __row.hashValue }
}

/// An object of an optimistic response whose type conditions tell cases apart.
public protocol GraphQLCases: SlotValue {}

extension GraphQLCases {
  /// Never: what is read has the structs of `Data`.
  public init?(__slot: RowSlot) { return nil }
}

/// A named fragment; the struct is a snapshot of its data.
public protocol GraphQLFragment: GraphQLView {
  /// What the row's slots are.
  static var __plan: SelectionPlan { get }
  /// What reading it throws.
  associatedtype __Failure: ReadFailure = Never
  /// The values of the variables that providers fill.
  static var __provided: Variables { get }
}

extension GraphQLFragment {
  public static var __provided: Variables { [:] }
}
