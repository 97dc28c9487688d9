/// A mutation to commit, as a value: the document with its plans, the variables, and the optimistic
/// response as data. Without closures, so that it can be persisted and resumed.
package struct MutationCommit: Sendable {
  package let operation: OperationPlan
  package let variables: Variables
  /// The `data` of the optimistic response as JSON in UTF-8, or `nil`.
  package let optimisticResponse: [UInt8]?
}

extension MutationCommit {
  /// Creates the value for a mutation.
  ///
  /// - Throws: ``RelayError`` with code `request` if the optimistic response has more rows than a
  ///   read may have.
  package init<Mutation: GraphQLMutating>(
    _ mutation: Mutation, optimisticResponse: Mutation.RawResponse?, rowLimit: Int
  ) throws {
    operation = Mutation.__operation
    variables = mutation.__variables
    self.optimisticResponse = try optimisticResponse.map {
      try $0.__row.box.clientData(of: Mutation.__operation.name, rowLimit: rowLimit)
    }
  }
}

extension MutationCommit {
  /// Checks that the mutation can be persisted as a value.
  ///
  /// - Parameter filesAreStorable: Whether its files can be persisted.
  /// - Throws: ``RelayError`` with code `request` if it has private elements, or files that cannot be
  ///   persisted.
  package func checkIsStorable(filesAreStorable: Bool = false) throws {
    if !filesAreStorable, !variables.uploads.isEmpty {
      throw RelayError(
        .request, "\"\(operation.name)\" has files, which cannot be stored here.",
        operationName: operation.name)
    }
    if operation.normalization.privacy != nil {
      throw RelayError(
        .request,
        "\"\(operation.name)\" uses elements with @noPersist, which the outbox does not store.",
        operationName: operation.name)
    }
  }
}

/// The closures of a mutation to commit, which are not persisted with it.
struct MutationUpdaters: Sendable {
  /// The updater that runs after the response is written.
  var updater: StoreUpdater?
  /// The updater that runs while the mutation is in flight, whenever the base below it changes.
  var optimisticUpdater: StoreUpdater?
}

extension RowBox {
  /// Returns client-made data as JSON in UTF-8.
  ///
  /// - Throws: ``RelayError`` with code `request` if the data has more than `rowLimit` rows.
  fileprivate func clientData(of operationName: String, rowLimit: Int) throws -> [UInt8] {
    guard rowCount <= rowLimit else {
      throw RelayError(
        .request,
        "The data given for \"\(operationName)\" has more than \(rowLimit.counted("row")), each counted as often as it occurs.",
        operationName: operationName)
    }
    return JSONValue.object(json).jsonBytes
  }
}
