public import RelayStore

/// An app's own object that takes its values from a fragment, such as a managed object.
///
///     extension Person: FragmentUpdatable {
///       func update(with fragment: PersonFragment) -> Bool {
///         if name == fragment.name { return false }
///         name = fragment.name
///         return true
///       }
///     }
public protocol FragmentUpdatable: AnyObject {
  /// The source of the values. The fragment's `id` identifies the object.
  associatedtype Fragment: GraphQLFragment & Identifiable where Fragment.ID: CustomScalar

  /// Copies the values of a fragment.
  ///
  /// - Returns: Whether any value has changed. Implementations should not assign unchanged values.
  func update(with fragment: Fragment) -> Bool
}

/// A context that owns objects, such as a managed object context.
public protocol ObjectContext: Sendable {
  /// Performs work where the objects may be used, then saves if the work returns `true` because it
  /// has changed something.
  ///
  /// Work is performed in the order of the calls, possibly after this method has returned. If the
  /// work throws, or its changes cannot be saved, they are rolled back.
  ///
  /// - Parameters:
  ///   - work: Changes objects of the context; returns whether anything has changed.
  ///   - onFailure: Called when changes were rolled back, before later work is performed.
  func perform(
    _ work: @escaping @Sendable (Self) throws -> Bool,
    onFailure: @escaping @Sendable () -> Void)
}

extension ObjectContext {
  /// Performs work where the objects may be used, then saves if the work returns `true`.
  public func perform(_ work: @escaping @Sendable (Self) throws -> Bool) {
    perform(work, onFailure: {})
  }
}

/// An object in a context, one for each id.
///
/// The requirements use `AnyObject` instead of `Self`, so that non-final classes can conform.
/// ``object(in:withID:)`` and the other extension methods have the object's own type.
public protocol ContextObject: FragmentUpdatable, SendableMetatype {
  /// The type of the context.
  associatedtype Context: ObjectContext

  /// Returns the existing objects of this type with these ids, in one lookup.
  static func existingObjects(
    in context: Context, withIDs ids: [String]
  ) throws -> [String: AnyObject]

  /// Creates the object with an id.
  ///
  /// - Precondition: No object of this type has the id.
  static func insertObject(in context: Context, withID id: String) throws -> AnyObject

  /// Deletes an object of this type.
  static func deleteObject(_ object: AnyObject, in context: Context) throws

  /// Returns the stamps of the objects of this type by id, with
  /// ``/RelayStore/FragmentStamp/outdated`` for an object without a stamp. Empty by default: a
  /// mirror then writes every object anew when it starts.
  static func stamps(in context: Context) throws -> [DataID: FragmentStamp]

  /// Sets the stamp of an object, to be saved with its values. A no-op by default.
  ///
  /// - Returns: Whether the context must be saved.
  static func setStamp(
    _ stamp: FragmentStamp, of object: AnyObject, in context: Context
  ) throws -> Bool
}

extension ContextObject {
  public static func stamps(in context: Context) throws -> [DataID: FragmentStamp] { [:] }

  public static func setStamp(
    _ stamp: FragmentStamp, of object: AnyObject, in context: Context
  ) throws -> Bool { false }
}

extension ContextObject {
  /// Returns the object with an id; `nil` if it does not exist.
  public static func existingObject(in context: Context, withID id: String) throws -> Self? {
    try existingObjects(in: context, withIDs: [id])[id] as? Self
  }

  /// Returns the object with an id, creating it if necessary.
  public static func object(in context: Context, withID id: String) throws -> Self {
    try existingObject(in: context, withID: id) ?? inserted(in: context, withID: id)
  }

  /// Returns the object of a fragment, updated with the fragment's values.
  ///
  ///     let person = try Person.object(in: context, with: fragment)
  public static func object(in context: Context, with fragment: Fragment) throws -> Self {
    let object = try object(in: context, withID: fragment.recordID.rawValue)
    _ = object.update(with: fragment)
    return object
  }

  /// Returns the object of a fragment, updated with the fragment's values; `nil` without a
  /// fragment.
  ///
  ///     let owner = try Person.object(in: context, with: snapshot.data)
  public static func object(in context: Context, with fragment: Fragment?) throws -> Self? {
    try fragment.map { try object(in: context, with: $0) }
  }

  /// Returns the object of a reference's fragment, updated with the values in a store; `nil`
  /// without a reference, or if the store does not have its data.
  ///
  ///     let owner = try Person.object(
  ///       in: context, with: todo.owner?.fragments.personFragment, from: environment)
  public static func object(
    in context: Context, with reference: FragmentRef<Fragment>?, from environment: RelayEnvironment
  ) throws -> Self? {
    guard let reference else { return nil }
    return try object(in: context, with: environment.read(reference).data)
  }

  private static func inserted(in context: Context, withID id: String) throws -> Self {
    guard let object = try insertObject(in: context, withID: id) as? Self else {
      throw RelayError(
        .update,
        "The object inserted for \"\(id)\" is not of type \(Self.self). "
          + "Return one from insertObject(in:withID:).")
    }
    return object
  }

  /// Applies changes, with one lookup for all updated objects and one for all deleted objects.
  ///
  /// - Returns: Whether anything has changed.
  public static func apply(_ changes: FragmentChanges<Fragment>, in context: Context) throws -> Bool
  {
    var isChanged = false
    if !changes.updated.isEmpty {
      let existing = try existingObjects(
        in: context, withIDs: changes.updated.map(\.recordID.rawValue))
      for (position, fragment) in changes.updated.enumerated() {
        let id = fragment.recordID.rawValue
        let object = existing[id] as? Self
        if object == nil { isChanged = true }
        let updated = try object ?? inserted(in: context, withID: id)
        if updated.update(with: fragment) { isChanged = true }
        // The next mirror rewrites a value without a stamp.
        let stamp = position < changes.stamps.count ? changes.stamps[position] : .outdated
        if try setStamp(stamp, of: updated, in: context) { isChanged = true }
      }
    }
    if !changes.deletedIDs.isEmpty {
      let existing = try existingObjects(in: context, withIDs: changes.deletedIDs)
      for object in changes.deletedIDs.compactMap({ existing[$0] }) {
        try deleteObject(object, in: context)
        isChanged = true
      }
    }
    return isChanged
  }
}
