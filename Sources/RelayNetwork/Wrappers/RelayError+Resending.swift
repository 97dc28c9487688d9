import RelayStore

extension GraphQLRequest {
  /// A file of the request that cannot be resent because its stream was already read; `nil` when
  /// there is none.
  var spentUpload: Upload? { uploads.first { $0.file.isSpent }?.file }
}

extension RelayError {
  /// Creates the error of a request that cannot be resent because its stream was already read.
  ///
  /// - Parameter cause: The reason for resending. Its code, status and errors are preserved.
  init(cannotResend file: Upload, after cause: RelayError) {
    self = cause
    message = """
      "\(cause.operationName ?? "The request")" cannot be sent again: "\(file.fileName)" is a \
      stream, and a stream can be read only once. The reason to send it again: \(cause.message)
      """
    underlying = cause
    isRetryable = false
  }

  /// Creates the error of a request whose rejected credentials could not be replaced. A
  /// ``RelayError`` is kept, any other error is wrapped.
  init(ofRefresh error: any Error, of operation: String) {
    self =
      error as? RelayError
      ?? RelayError(
        .transport, "The credentials of \"\(operation)\" could not be refreshed: \(error)",
        underlying: error)
    operationName = operation
    isUnauthenticated = true
  }

  /// Creates the error for a result that rejects the credentials. The transport's ``RelayError`` is
  /// kept, any other error is wrapped, and the errors of a response become one error.
  init(rejecting result: Result<GraphQLResponse, any Error>, of operation: String) {
    switch result {
    case .failure(let error as RelayError): self = error
    case .failure(let error):
      self.init(.transport, "\(error)", operationName: operation, underlying: error)
    case .success(let response):
      let errors = response.requestErrors
      self.init(
        .graphQL, "\"\(operation)\" failed: \(errors.first?.message ?? "not authenticated")",
        operationName: operation, errors: errors)
      setStatus(response.status, retryAfter: response.retryAfter)
    }
    operationName = operation
  }
}
