/// An error that a receiver throws after the last response of a request, so that the transport does
/// not wait for the end of the connection. `HTTPTransport` then returns as if the connection had
/// ended; any other transport rethrows the error to the environment.
package struct ResponseCompletion: Error {
  package init() {}
}

/// An error thrown by a receiver, while it propagates through the client.
package struct ReceiverFailure: Error {
  package let error: any Error

  package init(error: any Error) { self.error = error }
}
