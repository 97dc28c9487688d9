/// A cache of layouts by plan and shape, for reading objects without reference counting.
///
/// It is two-way set-associative: a pair of plan and shape has two places, so that two pairs that
/// are used in turn, as those of a row and its linked object, do not evict each other.
///
/// An entry retains its plan, shape and layout, so that the identities stay unique and the
/// unretained copies of ``Cached`` stay valid until the entry is replaced.
struct LayoutCache {
  /// A cached layout, in a trivial form.
  struct Cached {
    fileprivate var planID: ObjectIdentifier?
    fileprivate var shapeID: ObjectIdentifier?
    /// The layout; `nil` if rows of the plan and shape hold all their values.
    var layout: Unmanaged<RowLayout>?
    /// The layout's parts, if all of them are objects.
    var links: UnsafeBufferPointer<RowLayout.Link>?
    /// Whether the shape's type satisfies the plan's, by the compiled schema; `nil` if unknown.
    var isPossible: Bool?

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

  /// Returns the index of the first of the two entries of a plan and a shape; the other one is the
  /// next. Both are addresses of objects, whose low four bits are zero.
  @inline(__always)
  private static func position(_ planID: ObjectIdentifier, _ shapeID: ObjectIdentifier) -> Int {
    let (plan, shape) = (UInt(bitPattern: planID) >> 4, UInt(bitPattern: shapeID) >> 4)
    return Int(bitPattern: (plan ^ plan >> 6 ^ shape &* 7 ^ shape >> 6) & UInt(size - 2))
  }

  /// Returns a cached layout, which stays valid until the next insertion.
  @inline(__always)
  func cached(planID: ObjectIdentifier, shapeID: ObjectIdentifier) -> UnsafePointer<Cached>? {
    guard let entries else { return nil }
    let entry = entries + Self.position(planID, shapeID)
    if entry.pointee.isOf(planID, shapeID) { return UnsafePointer(entry) }
    return (entry + 1).pointee.isOf(planID, shapeID) ? UnsafePointer(entry + 1) : nil
  }

  /// Inserts a layout in the first of its places. The layout there moves to the second place, and
  /// the one there is removed.
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
  /// Whether the type of records of a shape satisfies the plan's, by the compiled schema; `nil` if
  /// the schema does not have the answer.
  func isPossible(_ shape: RecordShape) -> Bool? {
    guard let typeName = shape.typeName else { return nil }
    if !plan.isAbstract { return typeName.hasSameBytes(as: plan.typeName) }
    // The types of the store's own records satisfy no type of a schema.
    return shape.typeSchemaID == nil ? false : plan.types?.satisfies(typeName, plan.typeName)
  }
}
