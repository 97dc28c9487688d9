public import RelayStore

/// A question about the state of a store, for ``RelayStore/RelayEnvironment/explain(_:)``.
///
/// | question | answer |
/// |---|---|
/// | `.missing(fragment)`, `.missing(query)` | what it lacks, and which selection of which operation never fetched it |
/// | `.kept(id)` | each root that keeps a record, with the path of fields |
/// | `.delivered(fragment)` | which publishes were delivered, with the fields that differ |
/// | `.notDelivered(fragment)` | which publishes were not, and why |
public struct StoreQuestion<Answer: Sendable>: Sendable {
  let answer: @Sendable (RelayEnvironment) throws(RelayError) -> Answer
}

extension RelayEnvironment {
  /// Answers a question about the state of the store.
  ///
  ///     for missing in try environment.explain(.missing(todo.fragments.todoRow_todo)) {
  ///       print(missing)  // feed[0].isComplete: … lacks isComplete; FeedQuery does not select it
  ///     }
  ///
  /// - Throws: ``/RelayStore/RelayError`` with code `request` if the store does not have the record of `.kept`, if a
  ///   fragment has no record because it was made by hand or is absent, or if the answer needs a timeline and the
  ///   store records none; see ``/RelayStore/RecordStore/Configuration/timeline``.
  /// - Complexity: O(*n*) in all that is retained, observed and recorded; meant for debugging.
  public func explain<Answer>(
    _ question: StoreQuestion<Answer>
  ) throws(RelayError) -> Answer {
    try question.answer(self)
  }
}

extension FragmentRef {
  /// The record that a question is about.
  ///
  /// - Throws: ``RelayError`` with code `request` if there is none.
  var questionTarget: (id: DataID, scope: VariableScope) {
    get throws(RelayError) {
      guard case .record(let id, let scope) = target else {
        throw RelayError(
          .request,
          "The reference to \"\(Fragment.__plan.owner)\" has no record in the store: it is absent, or made by hand."
        )
      }
      return (id, scope)
    }
  }
}

extension RecordStore {
  /// The recorder of the timeline.
  ///
  /// - Throws: ``RelayError`` with code `request` if there is none.
  var questionRecorder: TimelineRecorder {
    get throws(RelayError) {
      guard let recorder else {
        throw RelayError(
          .request,
          "The store records no timeline. Create it with RecordStore.Configuration(timeline: …).")
      }
      return recorder
    }
  }
}
