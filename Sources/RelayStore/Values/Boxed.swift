/// A large value behind one reference, so that copying its owner costs one retain.
///
/// Assigning to the value, or to a member of it, allocates a new box.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  init(wrappedValue: Value) { box = Box(wrappedValue) }

  var wrappedValue: Value {
    get { box.value }
    set { box = Box(newValue) }
  }
}
