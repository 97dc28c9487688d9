/// A payload of a response that arrives in parts, after normalization.
package struct IncrementalPayload: Sendable {
  /// The records to merge; `nil` if there are none.
  package var records: RecordPayload?
  /// The errors of the payload and of its parts.
  package var errors: [GraphQLError] = []
  package var extensions: JSONObject = [:]
  /// Whether this is the first payload, with the data of the entire operation.
  var isInitial = false
  /// Whether more payloads follow, or must follow; see ``lacksParts``.
  package var hasNext = false
  /// Whether the server says that no payload follows, although an announced part has not ended, or
  /// a part had an id or a path that matches no object.
  var lacksParts = false
  package var pending = RecordPartChanges()
  /// Whether the rest of a streamed list has failed, in this payload or in an earlier one.
  var hasFailedLists = false
  /// The connections of these lists.
  var failedConnections: [DataID] = []
}
