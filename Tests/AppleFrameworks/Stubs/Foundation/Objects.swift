// Foundation's objects. Objective-C interoperability is off, so NSObject is a Swift class here.
//
// All files in this folder declare only the API that the package uses, as Apple documents it and as
// swift-foundation declares it. A declaration without @available is older than macOS 10.15, iOS 13,
// tvOS 13 and watchOS 6. The bodies are stubs.

@_exported import Darwin
@_exported import Dispatch
@_exported import FoundationEssentials

public protocol NSObjectProtocol: AnyObject {}

open class NSObject: NSObjectProtocol, Hashable, CustomStringConvertible {
  public init() {}
  public static func == (left: NSObject, right: NSObject) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) {}
  open var description: String { "" }
}

open class NSString: NSObject {
  open var deletingLastPathComponent: String { "" }
}

// With Objective-C interoperability off, `as NSString` is not a conversion.
extension String: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { NSString() }
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSString, result: inout String?
  ) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { "" }
}

open class NSArray: NSObject {
  public convenience init(array: [Any]) { self.init() }
}

open class NSDictionary: NSObject {
  public subscript(key: Any) -> Any? { nil }
}

public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}

open class NSPredicate: NSObject {
  public convenience init(format: String, argumentArray: [Any]?) { self.init() }
}

open class NSSortDescriptor: NSObject {
  public init(key: String?, ascending: Bool) {}
  public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    self.init(key: nil, ascending: ascending)
  }
}

open class Thread: NSObject {
  @available(
    *, noasync, message: "Work intended for the main actor should be marked with @MainActor"
  )
  open class var isMainThread: Bool { false }
  open var name: String?
  open var stackSize = 0
  @preconcurrency
  public convenience init(block: @escaping @Sendable () -> Void) { self.init() }
  @preconcurrency
  open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
  open func start() {}
}

open class NSLock: NSObject, @unchecked Sendable {
  public override init() {}
  @available(*, noasync, message: "Use async-safe scoped locking instead")
  open func lock() {}
  @available(*, noasync, message: "Use async-safe scoped locking instead")
  open func unlock() {}
  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}

open class ProcessInfo: NSObject {
  open class var processInfo: ProcessInfo { ProcessInfo() }
  open var environment: [String: String] { [:] }
  open var processIdentifier: Int32 { 0 }
}

open class Bundle: NSObject {
  open class var main: Bundle { Bundle() }
  open var bundleIdentifier: String? { nil }
  open var executableURL: URL? { nil }
}

open class OperationQueue: NSObject, @unchecked Sendable {
  open var maxConcurrentOperationCount = 0
  open var underlyingQueue: DispatchQueue?
}

open class UserDefaults: NSObject {
  public init?(suiteName suitename: String?) {}
  open func string(forKey defaultName: String) -> String? { nil }
}

@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
@available(visionOS, unavailable)
open class Process: NSObject {
  open var executableURL: URL?
  open var currentDirectoryURL: URL?
  open var arguments: [String]?
  public enum TerminationReason: Int, Sendable { case exit = 1, uncaughtSignal = 2 }

  open var isRunning: Bool { false }
  open var processIdentifier: Int32 { 0 }
  open var terminationReason: TerminationReason { .exit }
  open var terminationStatus: Int32 { 0 }
  open var standardInput: Any?
  open var standardOutput: Any?
  open var standardError: Any?
  open func run() throws {}
  open func terminate() {}
  open func waitUntilExit() {}
}

open class Pipe: NSObject, @unchecked Sendable {
  open var fileHandleForReading: FileHandle { .nullDevice }
  open var fileHandleForWriting: FileHandle { .nullDevice }
}
