/// A few locks shared by many objects that are too small for separate locks.
///
/// Two objects may share a lock, so a thread must not take a second one.
struct StripedLock: Sendable {
  private let stripes: [Locked<UInt8>]

  /// Creates the locks.
  ///
  /// - Parameter rank: The rank of each lock in the lock order.
  init(rank: LockRank) {
    stripes = (0..<Self.count).map { _ in Locked(0, rank: rank) }
  }

  private static let count = 16

  /// Runs a closure with the lock of an object.
  func withLock<Result>(of object: AnyObject, _ body: () -> sending Result) -> sending Result {
    let address = UInt(bitPattern: ObjectIdentifier(object))
    // Allocations are aligned to 16 bytes.
    return stripes[Int(bitPattern: (address >> 4 ^ address >> 10) % UInt(Self.count))].withLock {
      _ in body()
    }
  }
}
