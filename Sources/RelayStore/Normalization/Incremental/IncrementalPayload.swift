/// A payload of a response that arrives in parts, after normalization.
package struct IncrementalPayload: Sendable {
  /// The records to merge; `nil` if there are none.
  package var records: RecordPayload?
  /// The errors of the payload and of its parts.
  package var errors: [GraphQLError] = []
  package var extensions: JSONObject = [:]
  /// Whether this is the first payload, whose data is that of the whole operation.
  package var isInitial = false
  /// Whether more payloads follow.
  package var hasNext = false
  package var pending = RecordPartChanges()
  /// Whether the rest of a streamed list has failed, in this payload or in an earlier one.
  package var hasFailedLists = false
  /// The connections of these lists.
  package var failedConnections: [DataID] = []
}
