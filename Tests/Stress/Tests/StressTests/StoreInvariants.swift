import Foundation

#if DEBUG || RELAYSTORE_CHECK_INVARIANTS
  @testable import InvariantChecks
  @testable import RelayStore
#else
  import RelayStore
#endif

/// The check of a store's invariants after every *n*th operation of each thread, if
/// `RELAYSTORE_STRESS_INVARIANTS` is set to *n*.
enum StoreInvariants {
  private static let period =
    ProcessInfo.processInfo.environment["RELAYSTORE_STRESS_INVARIANTS"].flatMap { Int($0) }

  /// Returns the first violated invariant; `nil` if all hold or this operation is not checked.
  static func violation(in store: RecordStore, after operation: Int) -> String? {
    guard let period, period > 0, operation % period == 0 else { return nil }
    #if DEBUG || RELAYSTORE_CHECK_INVARIANTS
      return store.checkInvariants()
    #else
      return "Build with -D RELAYSTORE_CHECK_INVARIANTS to check invariants."
    #endif
  }
}
