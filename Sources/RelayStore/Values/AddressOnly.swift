/// A member that makes a large struct address-only.
///
/// Swift copies a loadable struct to the stack for each call of a nonmutating method that is not
/// inlined, however large it is.
struct AddressOnly: Sendable {
  /// An existential has no fixed type, so the optimizer cannot load it, nor a struct that has it.
  private let value: any Sendable = ()
}
