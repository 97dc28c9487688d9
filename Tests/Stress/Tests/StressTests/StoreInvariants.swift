import Foundation

#if DEBUG || RELAYSTORE_CHECK_INVARIANTS
  @testable import RelayStore
#else
  import RelayStore
#endif

/// The check of a store's invariants between operations, with `RELAYSTORE_STRESS_INVARIANTS=n` after every n-th
/// operation of each thread.
enum StoreInvariants {
  private static let period =
    ProcessInfo.processInfo.environment["RELAYSTORE_STRESS_INVARIANTS"].flatMap { Int($0) }

  /// The first violated invariant; `nil` when all hold or this operation is not one of those checked.
  static func violation(in store: RecordStore, after operation: Int) -> String? {
    guard let period, period > 0, operation % period == 0 else { return nil }
    #if DEBUG || RELAYSTORE_CHECK_INVARIANTS
      return store.checkInvariants()
    #else
      return "Build with -D RELAYSTORE_CHECK_INVARIANTS to check invariants."
    #endif
  }
}
