import Foundation

#if !canImport(Darwin)
  internal import CLibCurl
#endif

/// One HTTP request with a body.
enum HTTPPost {
  /// A server's response.
  struct Response {
    let status: Int
    let body: ContiguousArray<UInt8>
  }

  static let timeoutSeconds = 60

  private static func failure(_ url: String, _ reason: String) -> SchemaDownloadError {
    SchemaDownloadError(message: "Cannot reach \"\(url)\": \(reason)")
  }
}

#if canImport(Darwin)
  extension HTTPPost {
    /// Sends a request and waits for the response.
    ///
    /// - Throws: ``SchemaDownloadError`` when no response is received.
    static func send(to url: String, headers: [String], body: String) throws(SchemaDownloadError)
      -> Response
    {
      guard let target = URL(string: url) else { throw failure(url, "it is not a URL.") }
      var request = URLRequest(url: target, timeoutInterval: TimeInterval(timeoutSeconds))
      request.httpMethod = "POST"
      request.httpBody = Data(body.utf8)
      for header in headers {
        let parts = header.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        request.setValue(
          parts[1].trimmingCharacters(in: .whitespaces), forHTTPHeaderField: String(parts[0]))
      }
      let box = ResponseBox()
      let done = DispatchSemaphore(value: 0)
      let session = URLSession(configuration: .ephemeral)
      defer { session.invalidateAndCancel() }
      let task = session.dataTask(with: request) { data, response, error in
        box.set(data, response: response, error: error)
        done.signal()
      }
      task.delegate = RedirectRefusal()
      task.resume()
      // The request's own timeout only limits the time without data.
      guard done.wait(timeout: .now() + .seconds(timeoutSeconds)) == .success else {
        throw failure(url, "no response within \(timeoutSeconds) seconds.")
      }
      return try box.get(url)
    }

    /// A task delegate that rejects redirects: the header fields are meant for this server only.
    private final class RedirectRefusal: NSObject, URLSessionTaskDelegate, Sendable {
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
      ) {
        completionHandler(nil)
      }
    }

    /// A box that carries the response from the session's queue.
    ///
    /// `@unchecked Sendable`: the session's queue sets it before signaling the semaphore, and
    /// ``HTTPPost/send(to:headers:body:)`` reads it only after that signal.
    private final class ResponseBox: @unchecked Sendable {
      private var result: Result<Response, SchemaDownloadError>?
      private var reason = "no response."

      func set(_ data: Data?, response: URLResponse?, error: (any Error)?) {
        if let error { reason = error.localizedDescription }
        guard let data, let response = response as? HTTPURLResponse else { return }
        result = .success(Response(status: response.statusCode, body: ContiguousArray(data)))
      }

      func get(_ url: String) throws(SchemaDownloadError) -> Response {
        guard let result else { throw HTTPPost.failure(url, reason) }
        return try result.get()
      }
    }
  }
#else
  extension HTTPPost {
    /// Sends a request and waits for the response.
    ///
    /// Linking FoundationNetworking would make every command start 20% slower. It is built on
    /// libcurl, so that library is loaded directly, and only when needed.
    ///
    /// - Throws: ``SchemaDownloadError`` when no response is received.
    static func send(to url: String, headers: [String], body: String) throws(SchemaDownloadError)
      -> Response
    {
      guard let curl = Curl() else {
        throw failure(url, "the library libcurl is not installed.")
      }
      var received = ContiguousArray<UInt8>()
      var status = 0
      let code = curl.post(url, headers: headers, body: body, into: &received, status: &status)
      guard code == 0 else { throw failure(url, curl.text(ofError: code) + ".") }
      return Response(status: status, body: received)
    }
  }

  /// A libcurl loaded for the command's only request.
  private struct Curl {
    private var functions = relay_curl()

    /// Loads the library; `nil` when it is not installed.
    init?() {
      if relay_curl_load(&functions) == relay_curl_none { return nil }
    }

    /// The option values from `curl.h`; they never change.
    private enum Option {
      static let timeout: Int32 = 13
      static let postFieldSize: Int32 = 60
      static let noSignal: Int32 = 99
      static let protocols: Int32 = 181
      static let writeData: Int32 = 10_001
      static let url: Int32 = 10_002
      static let postFields: Int32 = 10_015
      static let headers: Int32 = 10_023
      static let writeFunction: Int32 = 20_011
    }

    /// The status of the response.
    private static let responseCode: Int32 = 0x20_0002
    /// The bit set for HTTP and HTTPS.
    private static let webProtocols = 3

    /// The description of an error code.
    func text(ofError code: Int32) -> String {
      functions.easy_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Sends a request and waits for the response.
    ///
    /// - Returns: libcurl's code; 0 when a response was received.
    func post(
      _ url: String, headers: [String], body: String, into received: inout ContiguousArray<UInt8>,
      status: inout Int
    ) -> Int32 {
      guard let handle = functions.easy_init() else { return 2 }
      defer { functions.easy_cleanup(handle) }
      var list: OpaquePointer?
      for header in headers { list = functions.slist_append(list, header) }
      defer { functions.slist_free_all(list) }
      return withUnsafePointer(to: functions) { curl in
        _ = relay_curl_set_long(curl, handle, Option.protocols, Self.webProtocols)
        _ = relay_curl_set_long(curl, handle, Option.noSignal, 1)
        _ = relay_curl_set_long(curl, handle, Option.timeout, HTTPPost.timeoutSeconds)
        _ = relay_curl_set_pointer(curl, handle, Option.headers, list.map { UnsafeRawPointer($0) })
        _ = relay_curl_set_receive(curl, handle, Option.writeFunction) { data, _, count, target in
          guard let data, let target else { return 0 }
          target.assumingMemoryBound(to: ContiguousArray<UInt8>.self).pointee.append(
            contentsOf: UnsafeRawBufferPointer(start: data, count: Int(count)))
          return count
        }
        // The pointers outlive the transfer, because it ends with `easy_perform`.
        return url.withCString { url in
          body.withCString { text in
            withUnsafeMutablePointer(to: &received) { target in
              _ = relay_curl_set_pointer(curl, handle, Option.url, url)
              _ = relay_curl_set_long(curl, handle, Option.postFieldSize, body.utf8.count)
              _ = relay_curl_set_pointer(curl, handle, Option.postFields, text)
              _ = relay_curl_set_pointer(curl, handle, Option.writeData, target)
              let code = curl.pointee.easy_perform(handle)
              _ = relay_curl_get_long(curl, handle, Self.responseCode, &status)
              return code
            }
          }
        }
      }
    }
  }
#endif
