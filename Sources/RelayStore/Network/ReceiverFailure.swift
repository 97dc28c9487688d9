/// What a receiver throws after the last response of a request, so that the transport does not wait
/// for the end of the connection. ``HTTPTransport`` then returns as at that end; other transports
/// pass the error on to whoever has thrown it.
package struct ResponseCompletion: Error {
  package init() {}
}

/// An error that a receiver has thrown, on its way through the client.
struct ReceiverFailure: Error {
  let error: any Error
}
