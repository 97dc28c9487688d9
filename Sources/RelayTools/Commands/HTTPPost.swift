import Foundation

#if !canImport(Darwin)
  internal import CLibCurl
#endif

/// One HTTP request with a body.
enum HTTPPost {
  /// A server's response.
  struct Response {
    let status: Int
    /// The absolute URL of a redirect.
    let redirect: String?
    let body: ContiguousArray<UInt8>
  }

  static let timeoutSeconds = 60
  /// The largest size of a response.
  static let byteLimit = 256 << 20

  private static func tooLarge(_ url: String, _ byteLimit: Int) -> SchemaDownloadError {
    SchemaDownloadError(
      message: "The response of \"\(url)\" is larger than \(byteLimit >> 20) MiB.")
  }

  private static func failure(_ url: String, _ reason: String) -> SchemaDownloadError {
    SchemaDownloadError(message: "Cannot reach \"\(url)\": \(reason)")
  }
}

#if canImport(Darwin)
  extension HTTPPost {
    /// Sends a request and waits for the response.
    ///
    /// - Throws: ``SchemaDownloadError`` when no response is received, or one that is too large.
    static func send(
      to url: String, headers: [String], body: String, byteLimit: Int = HTTPPost.byteLimit
    ) throws(SchemaDownloadError) -> Response {
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
      let receiver = Receiver(byteLimit)
      let session = URLSession(configuration: .ephemeral, delegate: receiver, delegateQueue: nil)
      defer { session.invalidateAndCancel() }
      session.dataTask(with: request).resume()
      // The request's own timeout only limits the time without data.
      guard receiver.done.wait(timeout: .now() + .seconds(timeoutSeconds)) == .success else {
        throw failure(url, "no response within \(timeoutSeconds) seconds.")
      }
      return try receiver.response(of: url)
    }

    /// A session delegate that collects the response.
    ///
    /// `@unchecked Sendable`: only the session's serial queue changes it before signaling the
    /// semaphore; ``HTTPPost/send(to:headers:body:byteLimit:)`` reads it only after that signal.
    private final class Receiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
      let done = DispatchSemaphore(value: 0)
      private let byteLimit: Int
      private var body = ContiguousArray<UInt8>()
      private var isTooLarge = false
      private var head: HTTPURLResponse?
      private var reason = "no response."

      init(_ byteLimit: Int) { self.byteLimit = byteLimit }

      func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        isTooLarge = isTooLarge || data.count > byteLimit - body.count
        if isTooLarge { return dataTask.cancel() }
        body.append(contentsOf: data)
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
      ) {
        head = task.response as? HTTPURLResponse
        if let error {
          head = nil
          reason = error.localizedDescription
        }
        done.signal()
      }

      /// Rejects redirects: the header fields are meant for this server only.
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
      ) {
        completionHandler(nil)
      }

      func response(of url: String) throws(SchemaDownloadError) -> Response {
        if isTooLarge { throw HTTPPost.tooLarge(url, byteLimit) }
        guard let head else { throw HTTPPost.failure(url, reason) }
        let location = head.value(forHTTPHeaderField: "Location")
        let isRedirect = (300..<400).contains(head.statusCode)
        let target = location.flatMap { isRedirect ? URL(string: $0, relativeTo: head.url) : nil }
        return Response(status: head.statusCode, redirect: target?.absoluteString, body: body)
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
    /// - Throws: ``SchemaDownloadError`` when no response is received, or one that is too large.
    static func send(
      to url: String, headers: [String], body: String, byteLimit: Int = HTTPPost.byteLimit
    ) throws(SchemaDownloadError) -> Response {
      guard let curl = Curl() else {
        throw failure(url, "the library libcurl is not installed.")
      }
      var received = Curl.Received(byteLimit: byteLimit)
      let code = curl.post(url, headers: headers, body: body, into: &received)
      if received.isTooLarge { throw tooLarge(url, byteLimit) }
      guard code == 0 else { throw failure(url, curl.text(ofError: code) + ".") }
      return Response(
        status: received.status, redirect: received.redirect, body: received.body)
    }
  }

  /// A libcurl loaded for the command's only request.
  private struct Curl {
    /// A response, as far as it is received.
    struct Received {
      let byteLimit: Int
      var status = 0
      var redirect: String?
      var body = ContiguousArray<UInt8>()
      var isTooLarge = false
    }

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
      _ url: String, headers: [String], body: String, into received: inout Received
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
          let received = target.assumingMemoryBound(to: Received.self)
          let room = received.pointee.byteLimit - received.pointee.body.count
          received.pointee.isTooLarge = Int(count) > room
          if received.pointee.isTooLarge { return 0 }
          received.pointee.body.append(
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
              Self.readHead(of: handle, curl, into: &target.pointee)
              return code
            }
          }
        }
      }
    }

    private static func readHead(
      of handle: UnsafeMutableRawPointer, _ curl: UnsafePointer<relay_curl>,
      into received: inout Received
    ) {
      _ = relay_curl_get_long(curl, handle, responseCode, &received.status)
      var redirect: UnsafePointer<CChar>?
      _ = relay_curl_get_redirect(curl, handle, &redirect)
      received.redirect = redirect.map { String(cString: $0) }
    }
  }
#endif
