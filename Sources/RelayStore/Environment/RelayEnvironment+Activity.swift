extension RelayEnvironment {
  /// How many operations wait for their response.
  package var operationCount: Int { requests.count }

  /// How many pages of connections are on their way.
  package var pageCount: Int { pages.count }

  /// Returns when no operation waits for its response.
  package func idle() async { await requests.idle() }
}
