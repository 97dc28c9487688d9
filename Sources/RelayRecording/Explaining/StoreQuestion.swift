public import RelayStore

/// A question about the state of a store, for ``RelayStore/RelayEnvironment/explain(_:)``.
///
/// | question | result |
/// |---|---|
/// | `.missing(fragment)`, `.missing(query)` | the missing fields, and the selections at fault |
/// | `.retained(id)` | each root that retains a record, with the path of fields |
/// | `.delivered(fragment)` | the publishes that were delivered, with the fields that differ |
/// | `.notDelivered(fragment)` | the publishes that were not delivered, and why |
public struct StoreQuestion<Explanation: Sendable>: Sendable {
  let explain: @Sendable (RelayEnvironment) throws(RelayError) -> Explanation
}

extension RelayEnvironment {
  /// Explains the state of the store.
  ///
  ///     for missing in try environment.explain(.missing(todo.fragments.todoRow_todo)) {
  ///       print(missing)  // feed[0].isComplete: … lacks isComplete; FeedQuery does not select it
  ///     }
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `request` if the store does not have the record
  ///   of `.retained`, if the fragment is absent or contains its own data instead of referring to a
  ///   record, or if the question needs a timeline and the store does not record one; see
  ///   ``/RelayStore/RecordStore/Configuration/timeline``.
  /// - Complexity: O(*n*) in all retained, observed and recorded data; meant for debugging.
  public func explain<Explanation>(
    _ question: StoreQuestion<Explanation>
  ) throws(RelayError) -> Explanation {
    try question.explain(self)
  }
}

extension FragmentRef {
  /// The record that a question is about.
  ///
  /// - Throws: ``RelayError`` with code `request` if the reference has no record.
  var questionTarget: (id: DataID, scope: VariableScope) {
    get throws(RelayError) {
      guard case .record(let id, let scope) = target else {
        throw RelayError(
          .request,
          "The reference to \"\(Fragment.__plan.owner)\" has no record in the store: it is absent, "
            + "or was created by hand."
        )
      }
      return (id, scope)
    }
  }
}

extension RecordStore {
  /// The recorder of the timeline.
  ///
  /// - Throws: ``RelayError`` with code `request` if the store does not record a timeline.
  var questionRecorder: TimelineRecorder {
    get throws(RelayError) {
      guard let recorder else {
        throw RelayError(
          .request,
          "The store does not record a timeline. Create it with "
            + "RecordStore.Configuration(timeline: …).")
      }
      return recorder
    }
  }
}
