// The part of SwiftData's interface that RelayStore's adapter and its example use, so that they can be
// type-checked on platforms without SwiftData. The bodies are stubs.

@_exported import Foundation
@_exported import Observation

public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {}

extension PersistentModel {
  public static func == (left: Self, right: Self) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

public final class ModelContainer: Sendable {
  public init() {}
}

public class ModelContext {
  public var autosaveEnabled = true

  public init(_ container: ModelContainer) {}

  public func insert<T: PersistentModel>(_ model: T) {}
  public func delete<T: PersistentModel>(_ model: T) {}
  public func save() throws {}
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] { [] }
}

@available(*, unavailable)
extension ModelContext: Sendable {}

public struct FetchDescriptor<T: PersistentModel> {
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {}
}
