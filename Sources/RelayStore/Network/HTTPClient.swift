import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server answered to an HTTP request, whatever the status is.
struct HTTPAnswer: Sendable {
  var status = 0
  /// By their names in lower case; the values of one that came several times are joined with `", "`.
  var headers: [String: String] = [:]
  var body: [UInt8] = []
}

/// What brings an HTTP request to its server.
protocol HTTPClient: Sendable {
  /// Sends a request and waits for the whole answer.
  ///
  /// - Throws: `URLError` when there is none; `CancellationError` when the task was cancelled.
  func send(_ request: URLRequest) async throws -> HTTPAnswer
}

/// Foundation's own client.
struct SessionClient: HTTPClient {
  let session: URLSession

  func send(_ request: URLRequest) async throws -> HTTPAnswer {
    let (data, response) = try await response(to: request)
    var answer = HTTPAnswer(body: [UInt8](data))
    guard let http = response as? HTTPURLResponse else { return answer }
    answer.status = http.statusCode
    for case (let name as String, let value as String) in http.allHeaderFields {
      answer.headers[name.lowercased()] = value
    }
    return answer
  }

  private func response(to request: URLRequest) async throws -> (Data, URLResponse) {
    do {
      return try await session.data(for: request)
    } catch let error as URLError where error.code == .cancelled {
      throw CancellationError()
    }
  }
}
