// The SwiftUI declarations that RelaySwiftUI and its example use, so that they can be type-checked
// on platforms without SwiftUI. The bodies are stubs. Isolation is the same as in Apple's
// interface: views are on the main actor; dynamic properties and environment values are not
// isolated.

public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { Key.defaultValue }
    set {}
  }
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
public enum ScenePhase: Comparable, Sendable {
  case background, inactive, active
}

@available(*, unavailable)
extension EnvironmentValues: Sendable {}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
extension EnvironmentValues {
  public var scenePhase: ScenePhase { .active }
}

@frozen @propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let value: Value

  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
    value = EnvironmentValues()[keyPath: keyPath]
  }

  public var wrappedValue: Value { value }
}

@frozen @propertyWrapper
public struct State<Value>: DynamicProperty {
  private let value: Value

  public init(wrappedValue value: Value) { self.value = value }
  public init(initialValue value: Value) { self.value = value }

  public var wrappedValue: Value {
    get { value }
    nonmutating set {}
  }
}

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("Nothing is shown here.") }
}

@resultBuilder
public struct ViewBuilder {
  public static func buildBlock() -> Text { Text("") }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<First: View, Second: View>(_ first: First, _ second: Second)
    -> First
  { first }
  public static func buildIf<Content: View>(_ content: Content?) -> Shown<Content> {
    Shown()
  }
  public static func buildEither<Yes: View, No: View>(first: Yes) -> Either<Yes, No> { Either() }
  public static func buildEither<Yes: View, No: View>(second: No) -> Either<Yes, No> { Either() }
}

public struct Shown<Content: View>: View {
  nonisolated init() {}
  public var body: Never { fatalError("Nothing is shown here.") }
}

public struct Either<Yes: View, No: View>: View {
  nonisolated init() {}
  public var body: Never { fatalError("Nothing is shown here.") }
}

public struct Text: View {
  nonisolated public init(_ text: String) {}
  public var body: Never { fatalError("Nothing is shown here.") }
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
public struct ProgressView: View {
  public init() {}
  public var body: Never { fatalError("Nothing is shown here.") }
}

public struct Button: View {
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
  public var body: Never { fatalError("Nothing is shown here.") }
}

public struct List<Content: View>: View {
  public init<Data: RandomAccessCollection>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Content
  ) where Data.Element: Identifiable {}
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("Nothing is shown here.") }
}

public struct ForEach<Data: RandomAccessCollection, Content: View>: View
where Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
  public var body: Never { fatalError("Nothing is shown here.") }
}

extension View {
  nonisolated public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View { Text("") }

  nonisolated public func disabled(_ isDisabled: Bool) -> some View { Text("") }

  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { Text("") }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  nonisolated public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false,
    _ action: @escaping (_ oldValue: Value, _ newValue: Value) -> Void
  ) -> some View { Text("") }
}
