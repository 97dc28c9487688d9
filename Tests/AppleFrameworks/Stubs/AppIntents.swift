// The AppIntents declarations that a guide uses, as Apple documents them. The bodies are stubs.

public import Foundation

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
public protocol IntentResult: Sendable {}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
public struct EmptyIntentResult: IntentResult {}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension IntentResult where Self == EmptyIntentResult {
  public static func result() -> EmptyIntentResult { EmptyIntentResult() }
}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
public protocol AppIntent: Sendable {
  associatedtype PerformResult: IntentResult
  static var title: LocalizedStringResource { get }
  init()
  func perform() async throws -> PerformResult
}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension AppIntent {
  public typealias Parameter = IntentParameter
}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
@propertyWrapper
public final class IntentParameter<Value: Sendable>: @unchecked Sendable {
  public init(title: LocalizedStringResource) {}
  public var wrappedValue: Value {
    get { fatalError("A stub has no value.") }
    set {}
  }
}
