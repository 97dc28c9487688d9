import GraphQLLanguage

extension IR {
  /// A field selection, possibly `__typename`.
  ///
  /// Fields are immutable, and the programs of the pipeline share every field that passes leave
  /// unchanged. ``with(arguments:type:details:selections:)`` returns a changed copy.
  package final class Field: Sendable {
    package let responseKey: Symbol
    package let name: Symbol
    package let arguments: [Argument]
    package let type: ResolvedType
    /// The details, boxed because few fields have them.
    private let boxedDetails: DetailsBox?
    /// The selection set; empty for leaf fields.
    package let selections: [Selection]

    package init(
      responseKey: Symbol, name: Symbol, arguments: [Argument] = [], type: ResolvedType,
      details: FieldDetails = .none, selections: [Selection] = []
    ) {
      self.responseKey = responseKey
      self.name = name
      self.arguments = arguments
      self.type = type
      boxedDetails = details == .none ? nil : DetailsBox(details)
      self.selections = selections
    }

    private init(_ other: Field, selections: [Selection]) {
      responseKey = other.responseKey
      name = other.name
      arguments = other.arguments
      type = other.type
      boxedDetails = other.boxedDetails
      self.selections = selections
    }

    private final class DetailsBox: Sendable {
      let details: FieldDetails

      init(_ details: FieldDetails) { self.details = details }
    }
  }

  /// The properties of a field that come from directives and the configuration.
  ///
  /// A new property must also be handled where fields are merged (IR+Merging), in ``Flatten``, and
  /// in ``DropReaderDirectives`` if only readers use it.
  package struct FieldDetails: Equatable, Sendable {
    /// Whether the field is client-only: it is read from the store and never sent.
    package var isClient = false
    /// The fragment that the client computes the field from.
    package var derived: Symbol?
    /// The directives to send to the server, excluding `@include` and `@skip`.
    package var directives: [Directive] = []
    /// The `@required` action. Only the reader program retains it.
    package var required: RequiredAction?
    /// The `@catch` target. Only the reader program retains it.
    package var catches: CatchTarget?
    /// The connection that `@connection` declares.
    package var connection: Connection?
    /// The handles that the store executes after writing the field.
    package var handles: [Handle] = []
    /// Whether the field is a key field, which identifies the object's record.
    package var isKey = false

    package static let none = FieldDetails()
  }
}

extension IR.Field {
  package var details: IR.FieldDetails { boxedDetails?.details ?? .none }
  /// Whether the field has details.
  var hasDetails: Bool { boxedDetails != nil }

  package var isClient: Bool { boxedDetails?.details.isClient ?? false }
  package var derived: Symbol? { boxedDetails?.details.derived }
  package var directives: [Directive] { boxedDetails?.details.directives ?? [] }
  package var required: IR.RequiredAction? { boxedDetails?.details.required }
  package var catches: IR.CatchTarget? { boxedDetails?.details.catches }
  package var connection: IR.Connection? { boxedDetails?.details.connection }
  package var handles: [IR.Handle] { boxedDetails?.details.handles ?? [] }
  package var isKey: Bool { boxedDetails?.details.isKey ?? false }

  /// Returns the field with different selections, or itself if they are identical.
  package func with(selections: [IR.Selection]) -> IR.Field {
    selections.isIdentical(to: self.selections) ? self : IR.Field(self, selections: selections)
  }

  /// Returns a copy of the field with the given properties replaced.
  package func with(
    arguments: [IR.Argument]? = nil, type: ResolvedType? = nil, details: IR.FieldDetails? = nil,
    selections: [IR.Selection]? = nil
  ) -> IR.Field {
    IR.Field(
      responseKey: responseKey, name: name, arguments: arguments ?? self.arguments,
      type: type ?? self.type, details: details ?? self.details,
      selections: selections ?? self.selections)
  }

  /// Returns the field `__typename`, under its own name or another response key; `nil` if the
  /// schema has no type `String`.
  static func typename(in schema: Schema, responseKey: Symbol? = nil) -> IR.Field? {
    guard let type = schema.type(named: "String") else { return nil }
    return IR.Field(
      responseKey: responseKey ?? .typename, name: .typename, type: ResolvedType(type.id).nonNull)
  }
}

extension [IR.Selection] {
  /// Returns an object's selections or, if they are empty, its `__typename`. An object's selections
  /// must never be empty.
  func orTypename(in schema: Schema) -> [IR.Selection] {
    guard isEmpty, let typename = IR.Field.typename(in: schema) else { return self }
    return [IR.Selection(typename)]
  }
}
