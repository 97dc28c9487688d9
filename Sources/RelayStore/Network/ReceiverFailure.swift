/// An error that a receiver has thrown, on its way through the client.
struct ReceiverFailure: Error {
  let error: any Error
}
