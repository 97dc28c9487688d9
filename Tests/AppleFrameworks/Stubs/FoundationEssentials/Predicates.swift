// Declarations for the expansion of #Predicate. The toolchain's macro names this module.

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public protocol PredicateExpression<Output> {
  associatedtype Output
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public protocol StandardPredicateExpression<Output>: PredicateExpression, Codable, Sendable {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public struct Predicate<each Input>: Sendable {
  public init(
    _ builder: (repeat PredicateExpressions.Variable<each Input>) ->
      any StandardPredicateExpression<Bool>
  ) {}
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@freestanding(expression)
public macro Predicate<each Input>(
  _ body: (repeat each Input) -> Bool
) -> Predicate<repeat each Input> =
  #externalMacro(module: "FoundationMacros", type: "PredicateMacro")

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public enum PredicateExpressions {
  public struct Variable<Output>: StandardPredicateExpression {}
  public struct Value<Output>: PredicateExpression {}

  public struct KeyPath<Root: PredicateExpression, Output>: PredicateExpression {}

  public struct SequenceContains<List: PredicateExpression, Element: PredicateExpression>:
    PredicateExpression
  where List.Output: Sequence, List.Output.Element: Equatable, Element.Output == List.Output.Element
  {
    public typealias Output = Bool
  }

  public static func build_Arg<T>(_ argument: T) -> Value<T> { Value() }
  public static func build_Arg<T: PredicateExpression>(_ argument: T) -> T { argument }

  public static func build_KeyPath<Root: PredicateExpression, Property>(
    root: Root, keyPath: Swift.KeyPath<Root.Output, Property>
  ) -> KeyPath<Root, Property> { KeyPath() }

  public static func build_contains<List: PredicateExpression, Element: PredicateExpression>(
    _ list: List, _ element: Element
  ) -> SequenceContains<List, Element>
  where List.Output.Element: Equatable { SequenceContains() }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Value: Codable
where Output: Codable {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Value: Sendable
where Output: Sendable {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Value: StandardPredicateExpression
where Output: Codable {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.KeyPath: Codable
where Root: Codable {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.KeyPath: Sendable
where Root: Sendable {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.KeyPath: StandardPredicateExpression
where Root: StandardPredicateExpression {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceContains: Codable
where List: Codable, Element: Codable {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceContains: Sendable
where List: Sendable, Element: Sendable {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceContains: StandardPredicateExpression
where List: StandardPredicateExpression, Element: StandardPredicateExpression {}
