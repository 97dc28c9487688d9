import Foundation
import RelayNetwork
import RelayStore
import os

// Swift code of Docs/Reference/Networking.md that needs the unified log; a test compares them.

/// An environment that logs to the unified log.
func makeLoggingEnvironment(for url: URL) -> RelayEnvironment {
  let logger = Logger(subsystem: "org.example.app", category: "GraphQL")
  let environment = RelayEnvironment(
    store: RecordStore(configuration: RecordStore.Configuration().logging(to: logger)),
    transport: HTTPTransport(url: url).retrying().logging(to: logger))
  return environment
}
