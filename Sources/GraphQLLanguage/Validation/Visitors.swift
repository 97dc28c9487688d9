/// A validation rule: registers what it wants to see of the documents.
///
/// A rule holds its state in the closures it registers, and reports through the context.
typealias Rule = @Sendable (ValidationContext, inout Visitors) -> Void

/// The namespace of the rules; each has a file of its own.
enum Rules {}

/// What rules want to see, by kind of node. ``DocumentWalker`` calls it in the order of the text, in one pass.
struct Visitors {
  /// Before anything else; all definitions are known.
  var start: [() -> Void] = []
  /// Every operation.
  var operation: [(OperationDefinition) -> Void] = []
  /// Every fragment, with the type it is on, where that has selections.
  var fragment: [(FragmentDefinition) -> Void] = []
  /// Every variable definition, with its type where it is known.
  var variableDefinition: [(VariableDefinition, ResolvedType?) -> Void] = []
  /// Every selection set, with the type it selects from, where that is known.
  var selectionSet: [(SelectionSet, NamedType?) -> Void] = []
  /// Every field, with the type it is selected on and its definition, where they are known.
  var field: [(Field, NamedType?, SchemaField?) -> Void] = []
  /// Every fragment spread, with the type it is spread on, where that is known.
  var fragmentSpread: [(FragmentSpread, NamedType?) -> Void] = []
  /// Every inline fragment, with the type it is spread on, where that is known.
  var inlineFragment: [(InlineFragment, NamedType?) -> Void] = []
  /// All directives at one place that has any.
  var directives: [([Directive], DirectiveLocation) -> Void] = []
  /// Every directive.
  var directive: [(Directive, SchemaDirective?) -> Void] = []
  /// Every name of a type that stands in a document. The flag tells whether it is part of a type system definition.
  var typeName: [(Name, _ isTypeSystem: Bool) -> Void] = []
  /// The arguments of a field or directive that has any.
  var arguments: [([Argument]) -> Void] = []
  /// Every value but variables, with what is expected at its place; a list or object before what is in it.
  var value: [(Value, InputPosition) -> Void] = []
  /// Every definition of the type system.
  var typeSystem: [(Definition) -> Void] = []
  /// After everything else; what operations and fragments use is known.
  var finish: [() -> Void] = []
}

/// What is expected where a value stands.
struct InputPosition {
  /// The expected type, or `nil` when it is unknown.
  var type: ResolvedType?
  /// True when the place has a default value that is not null.
  var hasDefault = false
  /// The input object that the value is a field of.
  var parent: NamedType?
  /// True inside a value that was reported as a whole.
  var isReported = false
}

/// A variable used in a value.
struct VariableUsage {
  /// The variable, without the `$`.
  let symbol: Symbol
  /// Where it stands, from the `$` on.
  let span: Span
  /// What is expected there.
  let position: InputPosition
}

/// An operation with what it uses directly.
struct OperationFacts {
  let definition: OperationDefinition
  var usages: [VariableUsage] = []
  var spreads: [FragmentSpread] = []

  /// The operation for messages: `operation "Feed"`, or `nil` when it is anonymous.
  func name(in symbols: SymbolTable) -> String? { definition.name.map { symbols[$0.symbol] } }
}

/// A fragment with what it uses directly.
struct FragmentFacts {
  let definition: FragmentDefinition
  var usages: [VariableUsage] = []
  var spreads: [FragmentSpread] = []
  /// The variables that are the fragment's own, declared with Relay's `@argumentDefinitions`.
  var localVariables: [LocalVariable] = []
}

/// A variable of one fragment, declared with Relay's `@argumentDefinitions`.
package struct LocalVariable {
  package let name: Name
  /// The declared type, where it is known.
  package let type: ResolvedType?
  package let defaultValue: Value?
  /// The Swift type that provides its value, where one does.
  package let provider: String?
}
