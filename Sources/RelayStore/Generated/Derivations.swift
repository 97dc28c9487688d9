/// The functions of derived fields, with what they have given.
package final class Derivations: RecordMemory {
  /// A function over the row of a fragment.
  package typealias Function = @Sendable (RowStorage) -> Result<RowSlot, DerivationFailure>

  /// Why a function has given nothing.
  package struct DerivationFailure: Error, Sendable {
    package let message: String
    /// What the function threw.
    package let underlying: (any Error)?

    package init(_ message: String, underlying: (any Error)? = nil) {
      self.message = message
      self.underlying = underlying
    }
  }

  private struct Entry {
    /// The fragment that it is a function of.
    let plan: ObjectIdentifier
    let function: Function
  }

  private struct Key: Hashable {
    let field: ByteString
    let plan: ObjectIdentifier

    init(_ field: String, _ plan: SelectionPlan) {
      self.field = ByteString(field)
      self.plan = ObjectIdentifier(plan)
    }
  }

  private struct Known {
    let row: RowStorage
    let value: Result<RowSlot, DerivationFailure>
  }

  private struct State {
    /// By `Type.field`.
    var functions: [ByteString: Entry] = [:]
    /// What a function gave last for each record.
    var known: [RecordIndex: [Key: Known]] = [:]
  }

  private let state = Locked(State(), rank: .leaf)

  package init() {}

  /// Sets the function of a field.
  package func register(_ field: String, of plan: SelectionPlan, _ function: @escaping Function) {
    state.withLock { state in
      state.functions[ByteString(field)] = Entry(plan: ObjectIdentifier(plan), function: function)
      state.known = [:]
    }
  }

  /// The row that the function of a field was given last for a record.
  package func known(_ field: String, of plan: SelectionPlan, _ index: RecordIndex) -> RowStorage? {
    state.withLock { $0.known[index]?[Key(field, plan)]?.row }
  }

  /// The value of a field for the row of its fragment: the function runs when that is not what it was given last.
  ///
  /// - Parameter names: What the field may be registered as, the first found counts.
  package func value(
    _ names: [String], of plan: SelectionPlan, _ index: RecordIndex, _ row: RowStorage
  ) -> Result<RowSlot, DerivationFailure> {
    let functions = state.withLock { $0.functions }
    let name = names.first { functions[ByteString($0)] != nil }
    guard let name, let entry = functions[ByteString(name)] else {
      return .failure(
        .init(
          "Derived field \"\(names.last ?? "")\" has no function. Give the environment one with derive(_:_:)."
        ))
    }
    guard entry.plan == ObjectIdentifier(plan) else {
      return .failure(
        .init(
          "The function of derived field \"\(name)\" is one of another fragment than \"\(plan.owner)\"."
        ))
    }
    let key = Key(name, plan)
    if let known = state.withLock({ $0.known[index]?[key] }), Row(known.row) == Row(row) {
      return known.value
    }
    let value = entry.function(row)
    state.withLock { $0.known[index, default: [:]][key] = Known(row: row, value: value) }
    return value
  }

  /// Forgets what functions gave for a record that is gone.
  package func forget(_ index: RecordIndex) { state.withLock { $0.known[index] = nil } }

  /// Forgets what functions gave for all records.
  package func forgetAll() { state.withLock { $0.known = [:] } }
}
