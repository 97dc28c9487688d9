/// A generated struct over a row.
///
/// Its only stored property is `let __row: Row`; the extensions of this protocol derive every other
/// member from the row. Reading a value bit-casts between the row and the struct, so a conforming
/// type must store only a row. relay-compiler ensures this, and the SPI `GeneratedCode` prevents
/// accidental conformances elsewhere.
///
/// The protocol refines no standard library protocols: each would cost every struct a witness table
/// that is built at run time.
public protocol GraphQLView: RowValue {}

/// The conformances of a generated struct.
public typealias GraphQLObject = GraphQLView & Hashable & CustomReflectable

extension GraphQLView {
  /// The row that the properties are computed from.
  ///
  /// - Precondition: The struct stores only a row.
  public var __row: Row { unsafeBitCast(self, to: Row.self) }

  /// Creates a struct over a row.
  ///
  /// - Precondition: The struct stores only a row.
  @inlinable
  public init(__row: Row) { self = unsafeBitCast(__row, to: Self.self) }

  /// Creates a value from the values of its slots; slots omitted at the end are absent.
  @_semantics("optimize.sil.specialize.generic.never")
  public init<each Value: RowValue>(_ plan: SelectionPlan, _ values: repeat each Value) {
    self.init(__row: Row(plan, repeat each values))
  }

  /// Creates the object that a type condition's `view` belongs to, from the same row.
  @_semantics("optimize.sil.specialize.generic.never")
  public init(__of view: some GraphQLView) { self.init(__row: view.__row) }

  /// The object's concrete type.
  @_semantics("optimize.sil.specialize.generic.never")
  public var __typename: String { __row.box.typename }

  /// Returns whether two values have equal fields under the same plan. Values with spreads must
  /// also belong to the same record.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func == (left: Self, right: Self) -> Bool { left.__row == right.__row }

  /// Hashes the fields.
  @_semantics("optimize.sil.specialize.generic.never")
  public func hash(into hasher: inout Hasher) { hasher.combine(__row) }

  /// The fields with their values, for `print`, `dump`, the debugger and failing tests.
  @_semantics("optimize.sil.specialize.generic.never")
  public var customMirror: Mirror { __row.box.mirror(of: self) }

  /// The hash value; declared here so that a field called `hashValue` does not replace it.
  @_semantics("optimize.sil.specialize.generic.never")
  public var hashValue: Int { __row.hashValue }
}

@_spi(GeneratedCode) extension GraphQLView {
  /// The witness of ``RowValue``, visible only to generated code. A hand-written struct may store
  /// something other than a row, so it does not conform.
  @_semantics("optimize.sil.specialize.generic.never")
  public init?(__slot: RowSlot) {
    guard let row = __slot.row else { return nil }
    self.init(__row: Row(row))
  }
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
  /// The values of the variables that providers supply.
  static var __provided: Variables { get }
}

extension GraphQLFragment {
  public static var __provided: Variables { [:] }
}
