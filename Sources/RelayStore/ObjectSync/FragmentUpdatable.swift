/// An object of the app's own that takes its values from a fragment: a managed object, a row of a table.
///
///     extension Person: FragmentUpdatable {
///       func update(with fragment: PersonFragment) -> Bool {
///         if name == fragment.name { return false }
///         name = fragment.name
///         return true
///       }
///     }
public protocol FragmentUpdatable: AnyObject {
  /// What its values come from; its `id` says which object is meant.
  associatedtype Fragment: GraphQLFragment & Identifiable where Fragment.ID: CustomScalar

  /// Takes over the values of a fragment.
  ///
  /// - Returns: Whether anything has changed; what has not should not be written.
  func update(with fragment: Fragment) -> Bool
}

/// Where objects live: a managed object context, a store in memory.
public protocol ObjectContext: Sendable {
  /// Does some work where the objects may be used, then saves if the work returns that it has changed something.
  ///
  /// Work is done in the order of the calls; it need not be done when this returns. What it throws must
  /// leave nothing half done.
  func perform(_ work: @escaping @Sendable (Self) throws -> Bool)
}

#if compiler(>=6.2)
  /// What a type is that may be named on any thread; Swift before 6.2 does not ask.
  public typealias TypeForAnyThread = SendableMetatype
#else
  /// What a type is that may be named on any thread; Swift before 6.2 does not ask.
  public typealias TypeForAnyThread = Any
#endif

/// An object that lives in a context, one for each id.
///
/// What the context does with objects is said without their type, so that classes that are not final can be such
/// objects; ``object(in:withID:)`` and its like have it.
public protocol ContextObject: FragmentUpdatable, TypeForAnyThread {
  /// Where it lives.
  associatedtype Context: ObjectContext

  /// The objects of this type with these ids, as far as there are any, in one look-up.
  static func existingObjects(
    in context: Context, withIDs ids: [String]
  ) throws -> [String: AnyObject]

  /// Makes the object of this type with an id; there is none.
  static func insertObject(in context: Context, withID id: String) throws -> AnyObject

  /// Deletes an object of this type.
  static func deleteObject(_ object: AnyObject, in context: Context) throws
}

extension ContextObject {
  /// The object with an id; `nil` where there is none.
  public static func existingObject(in context: Context, withID id: String) throws -> Self? {
    try existingObjects(in: context, withIDs: [id])[id] as? Self
  }

  /// The object with an id, made where there is none.
  public static func object(in context: Context, withID id: String) throws -> Self {
    try existingObject(in: context, withID: id) ?? inserted(in: context, withID: id)
  }

  /// The object that a fragment is about, with its values.
  ///
  ///     let person = try Person.object(in: context, with: fragment)
  public static func object(in context: Context, with fragment: Fragment) throws -> Self {
    let object = try object(in: context, withID: id(of: fragment))
    _ = object.update(with: fragment)
    return object
  }

  /// The text under which an object has the fragment's id: that of the record.
  private static func id(of fragment: Fragment) -> String {
    (fragment.id as? String) ?? DataID(fragment.id)?.rawValue ?? ""
  }

  private static func inserted(in context: Context, withID id: String) throws -> Self {
    guard let object = try insertObject(in: context, withID: id) as? Self else {
      throw RelayError(
        .update,
        "An object made for \"\(id)\" is no \(Self.self). Say so in insertObject(in:withID:).")
    }
    return object
  }

  /// Takes over changes, with one look-up for the objects that change and one for those that are deleted.
  ///
  /// - Returns: Whether anything has changed.
  public static func apply(_ changes: FragmentChanges<Fragment>, in context: Context) throws -> Bool
  {
    var isChanged = false
    if !changes.updated.isEmpty {
      let known = try existingObjects(in: context, withIDs: changes.updated.map(id))
      for fragment in changes.updated {
        let id = id(of: fragment)
        let object = known[id] as? Self
        if object == nil { isChanged = true }
        let updated = try object ?? inserted(in: context, withID: id)
        if updated.update(with: fragment) { isChanged = true }
      }
    }
    if !changes.deletedIDs.isEmpty {
      let known = try existingObjects(in: context, withIDs: changes.deletedIDs)
      for object in changes.deletedIDs.compactMap({ known[$0] }) {
        try deleteObject(object, in: context)
        isChanged = true
      }
    }
    return isChanged
  }
}
