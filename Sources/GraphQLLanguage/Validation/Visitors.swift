/// A validation rule: a function that registers visitors of documents.
///
/// A rule captures its state in the closures that it registers, and reports errors through the
/// context.
typealias Rule = @Sendable (ValidationContext, inout Visitors) -> Void

/// The namespace for validation rules, one per file.
enum Rules {}

/// The closures that rules register, by kind of node. ``DocumentWalker`` calls them in source
/// order, in a single pass.
struct Visitors {
  /// Called before the walk, after all definitions are collected.
  var start: [() -> Void] = []
  /// Called for every operation.
  var operation: [(OperationDefinition) -> Void] = []
  /// Called for every fragment definition.
  var fragment: [(FragmentDefinition) -> Void] = []
  /// Called for every variable definition, with its type if that exists.
  var variableDefinition: [(VariableDefinition, ResolvedType?) -> Void] = []
  /// Called for every selection set, with its parent type if that exists.
  var selectionSet: [(SelectionSet, NamedType?) -> Void] = []
  /// Called for every field, with its parent type and its definition if these exist.
  var field: [(Field, NamedType?, SchemaField?) -> Void] = []
  /// Called for every fragment spread, with its parent type if that exists.
  var fragmentSpread: [(FragmentSpread, NamedType?) -> Void] = []
  /// Called for every inline fragment, with its parent type if that exists.
  var inlineFragment: [(InlineFragment, NamedType?) -> Void] = []
  /// Called for every location with directives, passing all of them.
  var directives: [([Directive], DirectiveLocation) -> Void] = []
  /// Called for every directive, with its definition if that exists.
  var directive: [(Directive, SchemaDirective?) -> Void] = []
  /// Called for every type name in a document. The flag indicates whether the name belongs to a
  /// type system definition.
  var typeName: [(Name, _ isTypeSystem: Bool) -> Void] = []
  /// Called for every field or directive with arguments, passing all of them.
  var arguments: [([Argument]) -> Void] = []
  /// Called for every value except variables, with its position. A list or object precedes its
  /// elements.
  var value: [(Value, InputPosition) -> Void] = []
  /// Called for every type system definition.
  var typeSystem: [(Definition) -> Void] = []
  /// Called after the walk, once the variables and spreads of all operations and fragments are
  /// collected.
  var finish: [() -> Void] = []
}

/// The position of a value, with its expected type.
struct InputPosition {
  /// The expected type, or `nil` when it is unknown.
  var type: ResolvedType?
  /// Whether the position has a default value.
  var hasDefault = false
  /// The input object that contains the value as a field.
  var parent: NamedType?
  /// Whether the enclosing value has already been reported.
  var isReported = false
  /// Whether the value belongs to an argument of a directive on selections, such as `@include`, so
  /// a literal null never reaches a server.
  var isCondition = false
  /// Whether a spread passes the value to a fragment.
  var isPassed = false
}

/// A variable used in a value.
struct VariableUsage {
  /// The variable's name, without the `$`.
  let symbol: Symbol
  /// The source range of the usage, including the `$`.
  let span: Span
  /// The position where the variable is used.
  let position: InputPosition
}

/// An operation with the variables and spreads that it uses directly.
struct OperationUses {
  let definition: OperationDefinition
  var usages: [VariableUsage] = []
  var spreads: [FragmentSpread] = []
}

/// A fragment with the variables and spreads that it uses directly.
struct FragmentUses {
  let definition: FragmentDefinition
  var usages: [VariableUsage] = []
  var spreads: [FragmentSpread] = []
  /// The fragment's own variables, declared with Relay's `@argumentDefinitions`.
  var fragmentVariables: [FragmentVariable] = []
}

/// A variable of one fragment, declared with Relay's `@argumentDefinitions`.
package struct FragmentVariable {
  package let name: Name
  /// The declared type; `nil` when it does not exist.
  package let type: ResolvedType?
  package let defaultValue: Value?
  /// The name of the Swift type that provides the variable's value, if any.
  package let provider: String?
}
