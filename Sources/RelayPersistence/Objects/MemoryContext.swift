public import RelayStore

/// A context of objects in memory, for tests, previews and apps without persistence.
///
/// Its objects can be used from any thread, so they must synchronize their own state.
public final class MemoryContext: ObjectContext {
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let id: String
  }

  private struct State {
    var objects: [Key: any AnyObject & Sendable] = [:]
    var stamps: [Key: FragmentStamp] = [:]
    var lookUps = 0
    var saves = 0
    /// The pending work, in order.
    var waiting: [(work: Work, onFailure: @Sendable () -> Void)] = []
    var isWorking = false
  }

  private typealias Work = @Sendable (MemoryContext) throws -> Bool

  private let state = Locked(State(), rank: .leaf)

  /// Creates a context without objects.
  public init() {}

  /// The number of lookups.
  public var lookUpCount: Int { state.withLock { $0.lookUps } }

  /// The number of times that work has changed something.
  public var saveCount: Int { state.withLock { $0.saves } }

  /// Performs work immediately, one piece at a time. Work added while other work is running is
  /// performed afterwards, on the same thread. Changes made before an error are not rolled back.
  public func perform(
    _ work: @escaping @Sendable (MemoryContext) throws -> Bool,
    onFailure: @escaping @Sendable () -> Void
  ) {
    state.withLock { $0.waiting.append((work, onFailure)) }
    while let (work, onFailure) = next() {
      let isChanged = try? work(self)
      if isChanged == nil { onFailure() }
      state.withLock { state in
        state.isWorking = false
        if isChanged == true { state.saves += 1 }
      }
    }
  }

  private func next() -> (work: Work, onFailure: @Sendable () -> Void)? {
    state.withLock { state in
      guard !state.isWorking, !state.waiting.isEmpty else { return nil }
      state.isWorking = true
      return state.waiting.removeFirst()
    }
  }

  fileprivate func objects(of type: any MemoryObject.Type, ids: [String]) -> [String: AnyObject] {
    let found = state.withLock { state in
      state.lookUps += 1
      return ids.map { ($0, state.objects[Key(type: ObjectIdentifier(type), id: $0)]) }
    }
    var result: [String: AnyObject] = [:]
    for (id, object) in found { result[id] = object }
    return result
  }

  fileprivate func set(_ object: (any MemoryObject)?, of type: any MemoryObject.Type, id: String) {
    // The previous object is released outside the lock.
    _ = state.withLock { state -> (any AnyObject & Sendable)? in
      let key = Key(type: ObjectIdentifier(type), id: id)
      defer { state.objects[key] = object }
      if object == nil { state.stamps[key] = nil }
      return state.objects[key]
    }
  }

  fileprivate func stamps(of type: any MemoryObject.Type) -> [DataID: FragmentStamp] {
    state.withLock { state in
      var stamps: [DataID: FragmentStamp] = [:]
      for key in state.objects.keys where key.type == ObjectIdentifier(type) {
        stamps[DataID(key.id)] = state.stamps[key] ?? .outdated
      }
      return stamps
    }
  }

  fileprivate func set(_ stamp: FragmentStamp, of type: any MemoryObject.Type, id: String) {
    state.withLock { $0.stamps[Key(type: ObjectIdentifier(type), id: id)] = stamp }
  }
}

/// An object that lives in a ``MemoryContext``.
public protocol MemoryObject: ContextObject, Sendable where Context == MemoryContext {
  /// Creates an object without values.
  init(id: String)
  /// The object's id.
  var id: String { get }
}

extension MemoryObject {
  /// Returns the objects of the context with these ids, by id; one lookup.
  public static func existingObjects(
    in context: MemoryContext, withIDs ids: [String]
  ) throws -> [String: AnyObject] {
    context.objects(of: Self.self, ids: ids)
  }

  /// Creates an object with ``init(id:)`` and adds it to the context.
  public static func insertObject(in context: MemoryContext, withID id: String) throws -> AnyObject
  {
    let object = Self(id: id)
    context.set(object, of: Self.self, id: id)
    return object
  }

  /// Removes an object from the context; a no-op for an object of another type.
  public static func deleteObject(_ object: AnyObject, in context: MemoryContext) throws {
    if let object = object as? Self { context.set(nil, of: Self.self, id: object.id) }
  }

  /// Returns the stamps of the context's objects. They live as long as the context.
  public static func stamps(in context: MemoryContext) throws -> [DataID: FragmentStamp] {
    context.stamps(of: Self.self)
  }

  /// Sets the stamp of an object; no save is needed.
  public static func setStamp(
    _ stamp: FragmentStamp, of object: AnyObject, in context: MemoryContext
  ) throws -> Bool {
    if let object = object as? Self { context.set(stamp, of: Self.self, id: object.id) }
    return false
  }
}
