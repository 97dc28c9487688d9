/// Values that other modules attach to an object, one of each type.
package final class Attachments: Sendable {
  private let values = Locked<[ObjectIdentifier: any Sendable]>([:], rank: .leaf)

  package init() {}

  /// The value of a type; `nil` if there is none.
  package subscript<Value: Sendable>(type: Value.Type) -> Value? {
    get { values.withLock { $0[ObjectIdentifier(type)] } as? Value }
    set { values.withLock { $0[ObjectIdentifier(type)] = newValue } }
  }

  /// Returns the value of a type, created by `make` if there is none.
  ///
  /// - Parameter make: Called with the lock held, so it must not take a lock.
  package func value<Value: Sendable>(_ make: () -> Value) -> Value {
    values.withLock { values in
      if let value = values[ObjectIdentifier(Value.self)] as? Value { return value }
      let value = make()
      values[ObjectIdentifier(Value.self)] = value
      return value
    }
  }
}
