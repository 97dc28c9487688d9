// The Network declarations that RelayStore uses, as Apple documents them. The bodies are stubs.

public import Dispatch

@available(macOS 10.14, iOS 12, tvOS 12, watchOS 5, *)
public struct NWPath: Equatable, Sendable {
  public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
  public let status: Status
}

@available(macOS 10.14, iOS 12, tvOS 12, watchOS 5, *)
public final class NWPathMonitor: @unchecked Sendable {
  public init() {}

  @preconcurrency
  public final var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
    get { nil }
    set {}
  }

  public final func start(queue: DispatchQueue) {}
  public final func cancel() {}
}
