import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends operations to a GraphQL server over HTTP, each as a POST with a JSON body.
///
/// A response is taken when its status is a success, or when its media type is
/// `application/graphql-response+json`, with which servers answer errors in the request under
/// another status. Source: GraphQL over HTTP specification, section 6.
public struct HTTPTransport: Transport {
  /// Where the server is.
  public var url: URL
  /// Header fields for every request.
  public var headers: [String: String]
  /// The longest wait for data, from the request or from the last data received.
  public var timeout: Duration
  private let session: URLSession

  /// - Parameter session: Gives proxies, caches and cookies; by default one without cookies and
  ///   cache.
  public init(
    url: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60),
    session: URLSession? = nil
  ) {
    self.url = url
    self.headers = headers
    self.timeout = timeout
    self.session = session ?? URLSession(configuration: .ephemeral)
  }

  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let (data, response) = try await load(urlRequest(for: request), request.operationName)
    let http = response as? HTTPURLResponse
    let status = http?.statusCode ?? 0
    let mediaType = http?.value(forHTTPHeaderField: "Content-Type") ?? ""
    let isGraphQL = mediaType.lowercased().hasPrefix("application/graphql-response+json")
    guard (200..<300).contains(status) || isGraphQL else {
      throw RelayError(
        .transport,
        "\"\(request.operationName)\" was answered with HTTP status \(status) instead of a response.",
        operationName: request.operationName)
    }
    return GraphQLResponse(body: [UInt8](data))
  }

  private func urlRequest(for request: GraphQLRequest) -> URLRequest {
    var http = URLRequest(url: url)
    http.httpMethod = "POST"
    http.httpBody = Data(request.httpBody)
    http.timeoutInterval = timeout / .seconds(1)
    http.setValue("application/json", forHTTPHeaderField: "Content-Type")
    http.setValue(
      "application/graphql-response+json, application/json;q=0.9", forHTTPHeaderField: "Accept")
    for (name, value) in headers { http.setValue(value, forHTTPHeaderField: name) }
    return http
  }

  private func load(_ http: URLRequest, _ operation: String) async throws -> (Data, URLResponse) {
    do {
      return try await session.data(for: http)
    } catch let error as URLError where error.code == .cancelled {
      throw CancellationError()
    } catch {
      throw RelayError(
        .transport,
        "\"\(operation)\" got no response from \(url.host ?? "the server"): \(error.localizedDescription)",
        operationName: operation, underlying: error)
    }
  }
}
