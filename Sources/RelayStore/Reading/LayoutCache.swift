/// A cache of layouts by plan and shape, for reading objects without reference counting.
///
/// It is two-way set-associative: each pair of plan and shape has two possible entries. Two pairs
/// used in turn, such as a row's and its linked object's, do not evict each other.
///
/// An entry retains its plan, shape and layout. Their identities therefore remain unique, and the
/// unretained copies in ``Cached`` are valid until the entry is replaced.
struct LayoutCache {
  /// A cached layout, in a trivial form.
  struct Cached {
    fileprivate var planID: ObjectIdentifier?
    fileprivate var shapeID: ObjectIdentifier?
    /// The layout; `nil` if rows of this plan and shape hold all their values.
    var layout: Unmanaged<RowLayout>?
    /// The linked objects of the layout, if all its ``RowLayout/parts`` are objects.
    var links: UnsafeBufferPointer<RowLayout.Link>?
    /// Whether the shape's type satisfies the plan's type, by the compiled schema; `nil` if
    /// unknown.
    var isPossible: Bool?
    /// Whether records of the shape match the plan in ``version``; see
    /// ``RecordReader/canMatch(_:_:in:)``.
    var match: (isMatch: Bool, schema: RecordIndex?) = (false, nil)
    /// The number of the published version that ``match`` was computed in.
    var version: UInt64?

    @inline(__always)
    fileprivate func isOf(_ planID: ObjectIdentifier, _ shapeID: ObjectIdentifier) -> Bool {
      self.planID == planID && self.shapeID == shapeID
    }
  }

  private struct Owner {
    let plan: BoundPlan
    let shape: RecordShape
    let layout: RowLayout?
  }

  /// The memory of the entries. The cached pointer in `entries` is valid because `memory` owns it.
  private final class Memory {
    let entries = UnsafeMutablePointer<Cached>.allocate(capacity: LayoutCache.size)
    var owners = [Owner?](repeating: nil, count: LayoutCache.size)

    init() { entries.initialize(repeating: Cached(), count: LayoutCache.size) }

    // The entries are trivial values and need no deinitialization.
    deinit { entries.deallocate() }
  }

  private var memory: Memory?
  private var entries: UnsafeMutablePointer<Cached>?
  /// The number of entries, a power of two.
  private static let size = 64

  /// Returns the index of the first of the two entries of a plan and a shape; the second follows
  /// it. Both ids are addresses of objects, whose low four bits are zero.
  @inline(__always)
  private static func position(_ planID: ObjectIdentifier, _ shapeID: ObjectIdentifier) -> Int {
    let (plan, shape) = (UInt(bitPattern: planID) >> 4, UInt(bitPattern: shapeID) >> 4)
    return Int(bitPattern: (plan ^ plan >> 6 ^ shape &* 7 ^ shape >> 6) & UInt(size - 2))
  }

  /// Returns a cached layout. It is valid until the next insertion.
  @inline(__always)
  func cached(planID: ObjectIdentifier, shapeID: ObjectIdentifier) -> UnsafeMutablePointer<Cached>?
  {
    guard let entries else { return nil }
    let entry = entries + Self.position(planID, shapeID)
    if entry.pointee.isOf(planID, shapeID) { return entry }
    return (entry + 1).pointee.isOf(planID, shapeID) ? entry + 1 : nil
  }

  /// Inserts a layout into its first entry. The previous layout there moves to the second entry,
  /// and the layout in the second entry is evicted.
  mutating func insert(_ layout: RowLayout?, plan: BoundPlan, shape: RecordShape) {
    let memory = memory ?? Memory()
    (self.memory, entries) = (memory, memory.entries)
    let (planID, shapeID) = (ObjectIdentifier(plan), ObjectIdentifier(shape))
    let position = Self.position(planID, shapeID)
    memory.owners[position + 1] = memory.owners[position]
    memory.entries[position + 1] = memory.entries[position]
    memory.owners[position] = Owner(plan: plan, shape: shape, layout: layout)
    memory.entries[position] = Cached(
      planID: planID, shapeID: shapeID, layout: layout.map { .passUnretained($0) },
      links: layout?.links, isPossible: plan.isPossible(shape))
  }
}

extension BoundPlan {
  /// Returns whether the type of records of a shape satisfies the plan's type; `nil` if the
  /// compiled schema cannot decide.
  func isPossible(_ shape: RecordShape) -> Bool? {
    guard let typeName = shape.typeName else { return nil }
    if !plan.isAbstract { return typeName.hasSameBytes(as: plan.typeName) }
    // The types of the store's own records satisfy no schema type.
    return shape.typeSchemaID == nil ? false : plan.types?.satisfies(typeName, plan.typeName)
  }
}
