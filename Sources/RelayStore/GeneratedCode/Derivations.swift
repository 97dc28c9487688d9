/// The functions of derived fields, with their memoized results.
package final class Derivations: RecordCache {
  /// A function over the row of a fragment.
  package typealias Function = @Sendable (RowBox) -> Result<RowSlot, DerivationFailure>

  /// The reason that a derived field has no value.
  package struct DerivationFailure: Error, Sendable {
    package let message: String
    /// The error that the function threw, if any.
    package let underlying: (any Error)?

    package init(_ message: String, underlying: (any Error)? = nil) {
      self.message = message
      self.underlying = underlying
    }
  }

  /// How a field gets its values.
  private enum Kind {
    case function(Function)
    case live(LiveDerivations.Source)
  }

  private struct Entry {
    /// The plan of the fragment that the function takes.
    package let plan: ObjectIdentifier
    let kind: Kind
  }

  /// The value of a field, or the source of its values.
  package enum Value {
    case result(Result<RowSlot, DerivationFailure>)
    /// The field is live. The string is the name it is registered under.
    case live(String, LiveDerivations.Source)
  }

  private struct Memo {
    let row: RowBox
    let value: Result<RowSlot, DerivationFailure>
  }

  private struct State {
    /// The functions by `Type.field`.
    var functions: [ByteString: Entry] = [:]
    /// The last result of each function for each record.
    var memos: [RecordIndex: [LiveDerivations.Field: Memo]] = [:]
    var hasLiveFields = false
  }

  private let state = Locked(State(), rank: .leaf)
  /// The runs of live fields.
  package let live: LiveDerivations

  package init(_ live: LiveDerivations = LiveDerivations()) { self.live = live }

  /// Whether a field is or was live.
  var hasLiveFields: Bool { state.withLock { $0.hasLiveFields } }

  /// Sets the function of a field and drops all memoized results.
  package func register(_ field: String, of plan: SelectionPlan, _ function: @escaping Function) {
    register(field, Entry(plan: ObjectIdentifier(plan), kind: .function(function)))
  }

  /// Sets the source of a live field's values and drops all memoized results.
  package func register(
    _ field: String, of plan: SelectionPlan, live source: @escaping LiveDerivations.Source
  ) {
    register(field, Entry(plan: ObjectIdentifier(plan), kind: .live(source)))
  }

  private func register(_ field: String, _ entry: Entry) {
    // Released after unlocking.
    _ = state.withLock { state in
      state.memos = [:]
      if case .live = entry.kind { state.hasLiveFields = true }
      return state.functions.updateValue(entry, forKey: ByteString(field))
    }
  }

  /// Returns the row that a field's function last received for a record.
  func cachedRow(of field: String, plan: SelectionPlan, at index: RecordIndex)
    -> RowBox?
  {
    let field = LiveDerivations.Field(field, of: index, plan: plan)
    return state.withLock { $0.memos[index]?[field]?.row } ?? live.row(of: field)
  }

  /// Returns the value of a field. The function runs unless `row` equals the row it last received
  /// for the record.
  ///
  /// - Parameter names: The names that the field may be registered under; the first one found
  ///   counts.
  package func value(
    of names: [String], plan: SelectionPlan, at index: RecordIndex, row: RowBox
  ) -> Value {
    let functions = state.withLock { $0.functions }
    let name = names.first { functions[ByteString($0)] != nil }
    guard let name, let entry = functions[ByteString(name)] else {
      return .failure(
        "Derived field \"\(names.last ?? "")\" has no function. Give the environment one with derive(_:_:)."
      )
    }
    guard entry.plan == ObjectIdentifier(plan) else {
      return .failure(
        "The function of derived field \"\(name)\" takes a different fragment than "
          + "\"\(plan.owner)\"."
      )
    }
    switch entry.kind {
    case .live(let source): return .live(name, source)
    case .function(let function):
      let key = LiveDerivations.Field(name, of: index, plan: plan)
      if let memo = state.withLock({ $0.memos[index]?[key] }), Row(memo.row) == Row(row) {
        return .result(memo.value)
      }
      let value = StoreCallback.run("the function of the derived field \"\(name)\"") {
        function(row)
      }
      state.withLock { $0.memos[index, default: [:]][key] = Memo(row: row, value: value) }
      return .result(value)
    }
  }

  /// Drops the memoized results of a collected record.
  func evict(_ index: RecordIndex) { state.withLock { $0.memos[index] = nil } }

  /// Drops the memoized results of all records except `kept`.
  func evictAll(except kept: [RecordIndex]) {
    state.withLock { state in
      let memos = state.memos
      state.memos = [:]
      for index in kept { state.memos[index] = memos[index] }
    }
  }
}

extension Derivations.Value {
  fileprivate static func failure(_ message: String) -> Self { .result(.failure(.init(message))) }
}
