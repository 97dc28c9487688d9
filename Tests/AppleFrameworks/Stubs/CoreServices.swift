// The CoreServices declarations that relay-compiler uses, for type-checking without the framework.
import Dispatch
import Foundation

public typealias CFArray = NSArray
public typealias CFAllocator = NSObject
public typealias CFTimeInterval = Double
public typealias FSEventStreamRef = OpaquePointer
public typealias ConstFSEventStreamRef = OpaquePointer
public typealias FSEventStreamEventId = UInt64
public typealias FSEventStreamEventFlags = UInt32
public typealias FSEventStreamCreateFlags = UInt32

public var kFSEventStreamCreateFlagNoDefer: Int { 0x2 }
public var kFSEventStreamCreateFlagWatchRoot: Int { 0x4 }
public var kFSEventStreamCreateFlagFileEvents: Int { 0x10 }
public var kFSEventStreamEventIdSinceNow: UInt64 { .max }

public typealias FSEventStreamCallback =
  @convention(c) (
    ConstFSEventStreamRef, UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer,
    UnsafePointer<FSEventStreamEventFlags>, UnsafePointer<FSEventStreamEventId>
  ) -> Void

public struct FSEventStreamContext {
  public init(
    version: Int, info: UnsafeMutableRawPointer?,
    retain: (@convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer?)?,
    release: (@convention(c) (UnsafeRawPointer?) -> Void)?,
    copyDescription: (@convention(c) (UnsafeRawPointer?) -> OpaquePointer?)?
  ) {}
}

public func FSEventStreamCreate(
  _ allocator: CFAllocator?, _ callback: @escaping FSEventStreamCallback,
  _ context: UnsafeMutablePointer<FSEventStreamContext>?, _ pathsToWatch: CFArray,
  _ sinceWhen: FSEventStreamEventId, _ latency: CFTimeInterval,
  _ flags: FSEventStreamCreateFlags
) -> FSEventStreamRef? { nil }

public func FSEventStreamSetDispatchQueue(
  _ streamRef: FSEventStreamRef, _ queue: DispatchQueue?
) {}

public func FSEventStreamStart(_ streamRef: FSEventStreamRef) -> Bool { true }
public func FSEventStreamStop(_ streamRef: FSEventStreamRef) {}
public func FSEventStreamInvalidate(_ streamRef: FSEventStreamRef) {}
public func FSEventStreamRelease(_ streamRef: FSEventStreamRef) {}
