import GraphQLLanguage

extension IR {
  /// A field; `__typename` included.
  ///
  /// Fields never change, and the programs of the pipeline share those that passes leave alone: ``with(arguments:type:details:selections:)``
  /// makes another one.
  package final class Field: Sendable {
    package let responseKey: Symbol
    package let name: Symbol
    package let arguments: [Argument]
    package let type: ResolvedType
    /// What few fields have.
    private let rare: Rare?
    /// Empty for leaves.
    package let selections: [Selection]

    package init(
      responseKey: Symbol, name: Symbol, arguments: [Argument] = [], type: ResolvedType,
      details: FieldDetails = .none, selections: [Selection] = []
    ) {
      self.responseKey = responseKey
      self.name = name
      self.arguments = arguments
      self.type = type
      rare = details == .none ? nil : Rare(details)
      self.selections = selections
    }

    private init(_ other: Field, selections: [Selection]) {
      responseKey = other.responseKey
      name = other.name
      arguments = other.arguments
      type = other.type
      rare = other.rare
      self.selections = selections
    }

    private final class Rare: Sendable {
      let details: FieldDetails

      init(_ details: FieldDetails) { self.details = details }
    }
  }

  /// What directives and the configuration say of a field.
  package struct FieldDetails: Equatable, Sendable {
    /// Whether only the client knows the field, so that it is read and never sent.
    package var isClient = false
    /// The fragment that it is computed from on the client.
    package var derived: Symbol?
    /// The directives that the server is sent, without `@include` and `@skip`.
    package var directives: [Directive] = []
    /// What to do when it is null; only readers know.
    package var required: RequiredAction?
    /// What it is when anything in it failed; only readers know.
    package var catches: CatchTarget?
    /// What `@connection` says of it.
    package var connection: Connection?
    /// What is to be done with it once it is written.
    package var handles: [Handle] = []
    /// Whether records are known by it.
    package var isKey = false

    package static let none = FieldDetails()
  }
}

extension IR.Field {
  package var details: IR.FieldDetails { rare?.details ?? .none }
  /// Whether it has no details.
  package var isPlain: Bool { rare == nil }

  package var isClient: Bool { rare?.details.isClient ?? false }
  package var derived: Symbol? { rare?.details.derived }
  package var directives: [Directive] { rare?.details.directives ?? [] }
  package var required: IR.RequiredAction? { rare?.details.required }
  package var catches: IR.CatchTarget? { rare?.details.catches }
  package var connection: IR.Connection? { rare?.details.connection }
  package var handles: [IR.Handle] { rare?.details.handles ?? [] }
  package var isKey: Bool { rare?.details.isKey ?? false }

  /// The field with other selections; itself where they are the very same.
  package func with(selections: [IR.Selection]) -> IR.Field {
    selections.isIdentical(to: self.selections) ? self : IR.Field(self, selections: selections)
  }

  /// A field that differs from this one in what is given.
  package func with(
    arguments: [IR.Argument]? = nil, type: ResolvedType? = nil, details: IR.FieldDetails? = nil,
    selections: [IR.Selection]? = nil
  ) -> IR.Field {
    IR.Field(
      responseKey: responseKey, name: name, arguments: arguments ?? self.arguments,
      type: type ?? self.type, details: details ?? self.details,
      selections: selections ?? self.selections)
  }

  /// `__typename`, under its own name or another response key.
  static func typename(in schema: Schema, responseKey: Symbol? = nil) -> IR.Field? {
    guard let type = schema.type(named: "String") else { return nil }
    return IR.Field(
      responseKey: responseKey ?? .typename, name: .typename, type: ResolvedType(type.id).nonNull)
  }
}
