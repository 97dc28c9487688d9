// The SwiftData declarations that RelayStore's adapter and its example use, so that they can be
// type-checked on platforms without SwiftData. The bodies are stubs.

@_exported import Foundation
@_exported import Observation

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
  public typealias ID = PersistentIdentifier
  public var id: PersistentIdentifier { self }
  public static func < (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool { false }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PersistentModel {
  public var id: PersistentIdentifier { PersistentIdentifier() }
  public var hasChanges: Bool { false }
  public var isDeleted: Bool { false }
  public var modelContext: ModelContext? { nil }
  public static func == (left: Self, right: Self) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public class ModelContainer: Equatable, @unchecked Sendable {
  init() {}
  public static func == (left: ModelContainer, right: ModelContainer) -> Bool { left === right }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public class ModelContext: Equatable {
  public var autosaveEnabled = true

  public init(_ container: ModelContainer) {}
  public static func == (left: ModelContext, right: ModelContext) -> Bool { left === right }

  public func insert<T: PersistentModel>(_ model: T) {}
  public func delete<T: PersistentModel>(_ model: T) {}
  public func save() throws {}
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] { [] }
}

@available(*, unavailable, message: "contexts cannot be shared across concurrency contexts")
extension ModelContext: @unchecked Sendable {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public struct FetchDescriptor<T: PersistentModel> {
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {}
}
