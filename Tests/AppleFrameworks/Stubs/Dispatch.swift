// The Dispatch declarations that the package uses, as Apple's SDK declares them for Swift. Taken
// from its documentation and the overlay in swift-corelibs-libdispatch. The bodies are stubs.

@_exported import Darwin

public struct DispatchQoS: Sendable, Equatable {
  public enum QoSClass: Sendable {
    case background, utility, `default`, userInitiated, userInteractive, unspecified
  }

  public static let background = DispatchQoS()
  public static let utility = DispatchQoS()
  public static let `default` = DispatchQoS()
  public static let userInitiated = DispatchQoS()
  public static let userInteractive = DispatchQoS()
  public static let unspecified = DispatchQoS()
}

public class DispatchWorkItem {
  public init(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    block: @escaping @convention(block) () -> Void
  ) {}
  public func cancel() {}
}

public struct DispatchWorkItemFlags: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
}

open class DispatchObject: @unchecked Sendable {
  init() {}
}

public final class DispatchSpecificKey<T> {
  public init() {}
}

extension DispatchSpecificKey: Sendable where T: Sendable {}

open class DispatchQueue: DispatchObject, @unchecked Sendable {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
  }

  public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }

  public class var main: DispatchQueue { DispatchQueue(label: "main") }

  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { main }

  public convenience init(
    label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
    autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
  ) { self.init() }

  @preconcurrency
  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}

  @preconcurrency
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}

  public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) {}

  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }

  @preconcurrency
  public class func getSpecific<T: Sendable>(key: DispatchSpecificKey<T>) -> T? { nil }

  @preconcurrency
  public func setSpecific<T: Sendable>(key: DispatchSpecificKey<T>, value: T?) {}
}

public enum DispatchPredicate: Sendable {
  case onQueue(DispatchQueue), onQueueAsBarrier(DispatchQueue), notOnQueue(DispatchQueue)
}

public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) {}

open class DispatchGroup: DispatchObject, @unchecked Sendable {
  public override init() {}
  @available(*, noasync, message: "Use a TaskGroup instead")
  public func wait() {}
}

open class DispatchSemaphore: DispatchObject, @unchecked Sendable {
  public init(value: Int) {}
  @available(*, noasync, message: "Await a Task handle instead")
  public func wait() {}
  @available(*, noasync, message: "Await a Task handle instead")
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
  @discardableResult public func signal() -> Int { 0 }
}

@frozen public enum DispatchTimeoutResult: Sendable { case success, timedOut }

public enum DispatchTimeInterval: Sendable, Equatable {
  case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never
}

public struct DispatchTime: Comparable, Sendable {
  public static let distantFuture = DispatchTime()
  public static func now() -> DispatchTime { DispatchTime() }
  public static func < (left: DispatchTime, right: DispatchTime) -> Bool { false }
}

public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }

public protocol DispatchSourceProtocol: AnyObject {
  @preconcurrency
  func setEventHandler(
    qos: DispatchQoS, flags: DispatchWorkItemFlags,
    handler: (@Sendable @convention(block) () -> Void)?)
  func resume()
  func cancel()
}

extension DispatchSourceProtocol {
  @preconcurrency
  public func setEventHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    handler: (@Sendable @convention(block) () -> Void)?
  ) {}
}

public protocol DispatchSourceSignal: DispatchSourceProtocol {}

public class DispatchSource: DispatchObject, @unchecked Sendable, DispatchSourceSignal {
  public class func makeSignalSource(
    signal: Int32, queue: DispatchQueue? = nil
  ) -> any DispatchSourceSignal { DispatchSource() }

  public func resume() {}
  public func cancel() {}
}
