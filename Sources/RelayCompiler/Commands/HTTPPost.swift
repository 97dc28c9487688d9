#if canImport(Darwin)
  import Foundation
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One HTTP request with a body.
enum HTTPPost {
  /// What a server answered.
  struct Answer {
    let status: Int
    let body: ContiguousArray<UInt8>
  }

  static let timeoutSeconds = 60

  private static func failure(_ url: String, _ reason: String) -> SchemaDownloadError {
    SchemaDownloadError(code: .transport, message: "Cannot reach \"\(url)\": \(reason)")
  }
}

#if canImport(Darwin)
  extension HTTPPost {
    /// Sends a request and waits for the answer.
    ///
    /// - Throws: ``SchemaDownloadError`` with code `transport` when none comes.
    static func send(to url: String, headers: [String], body: String) throws(SchemaDownloadError)
      -> Answer
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
      let answer = AnswerBox()
      let done = DispatchSemaphore(value: 0)
      URLSession.shared.dataTask(with: request) { data, response, error in
        answer.set(data, response, error)
        done.signal()
      }.resume()
      done.wait()
      return try answer.get(url)
    }

    /// Carries the answer from the session's queue; `@unchecked Sendable`: it is set before the semaphore is signalled, and read after.
    private final class AnswerBox: @unchecked Sendable {
      private var result: Result<Answer, SchemaDownloadError>?
      private var reason = "no answer came."

      func set(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        if let error { reason = error.localizedDescription }
        guard let data, let response = response as? HTTPURLResponse else { return }
        result = .success(Answer(status: response.statusCode, body: ContiguousArray(data)))
      }

      func get(_ url: String) throws(SchemaDownloadError) -> Answer {
        guard let result else { throw HTTPPost.failure(url, reason) }
        return try result.get()
      }
    }
  }
#else
  extension HTTPPost {
    /// Sends a request and waits for the answer.
    ///
    /// FoundationNetworking would add a fifth to the start of every command, so the library it is made of is loaded when needed.
    ///
    /// - Throws: ``SchemaDownloadError`` with code `transport` when no answer comes.
    static func send(to url: String, headers: [String], body: String) throws(SchemaDownloadError)
      -> Answer
    {
      guard let curl = Curl() else {
        throw failure(url, "the library libcurl is not installed.")
      }
      var received = ContiguousArray<UInt8>()
      var status = 0
      let code = curl.post(url, headers: headers, body: body, into: &received, status: &status)
      guard code == 0 else { throw failure(url, curl.text(ofError: code) + ".") }
      return Answer(status: status, body: received)
    }
  }

  /// The functions of libcurl that one request takes.
  ///
  /// `setopt` and `getinfo` take any number of arguments in C. With one pointer or integer the calling conventions of x86-64 and
  /// ARM64 Linux pass it like a declared one.
  private struct Curl {
    private typealias SetPointer = @convention(c) (OpaquePointer, Int32, UnsafeRawPointer?) -> Int32
    private typealias SetInteger = @convention(c) (OpaquePointer, Int32, Int) -> Int32
    private typealias SetFunction = @convention(c) (OpaquePointer, Int32, Write) -> Int32
    private typealias GetInteger =
      @convention(c) (OpaquePointer, Int32, UnsafeMutablePointer<Int>)
      -> Int32
    private typealias Write =
      @convention(c) (
        UnsafeRawPointer?, Int, Int, UnsafeMutableRawPointer?
      ) -> Int

    private let create: @convention(c) () -> OpaquePointer?
    private let perform: @convention(c) (OpaquePointer) -> Int32
    private let destroy: @convention(c) (OpaquePointer) -> Void
    private let setPointer: SetPointer
    private let setInteger: SetInteger
    private let setFunction: SetFunction
    private let getInteger: GetInteger
    private let appendHeader:
      @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> UnsafeMutableRawPointer?
    private let freeHeaders: @convention(c) (UnsafeMutableRawPointer?) -> Void
    private let errorText: @convention(c) (Int32) -> UnsafePointer<CChar>?

    /// Loads the library; `nil` when it is not there.
    init?() {
      let names = ["libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"]
      guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else { return nil }
      func find<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(library, name).map { unsafeBitCast($0, to: type) }
      }
      guard
        let create = find("curl_easy_init", as: (@convention(c) () -> OpaquePointer?).self),
        let perform = find("curl_easy_perform", as: (@convention(c) (OpaquePointer) -> Int32).self),
        let destroy = find("curl_easy_cleanup", as: (@convention(c) (OpaquePointer) -> Void).self),
        let setPointer = find("curl_easy_setopt", as: SetPointer.self),
        let setInteger = find("curl_easy_setopt", as: SetInteger.self),
        let setFunction = find("curl_easy_setopt", as: SetFunction.self),
        let getInteger = find("curl_easy_getinfo", as: GetInteger.self),
        let appendHeader = find(
          "curl_slist_append",
          as: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) ->
            UnsafeMutableRawPointer?).self),
        let freeHeaders = find(
          "curl_slist_free_all", as: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self),
        let errorText = find(
          "curl_easy_strerror", as: (@convention(c) (Int32) -> UnsafePointer<CChar>?).self)
      else { return nil }
      self.create = create
      self.perform = perform
      self.destroy = destroy
      self.setPointer = setPointer
      self.setInteger = setInteger
      self.setFunction = setFunction
      self.getInteger = getInteger
      self.appendHeader = appendHeader
      self.freeHeaders = freeHeaders
      self.errorText = errorText
    }

    /// Options by their numbers in `curl.h`.
    private enum Option {
      static let writeData: Int32 = 10_001
      static let url: Int32 = 10_002
      static let postFields: Int32 = 10_015
      static let headers: Int32 = 10_023
      static let writeFunction: Int32 = 20_011
      static let timeout: Int32 = 13
      static let postFieldSize: Int32 = 60
      static let noSignal: Int32 = 99
      static let protocols: Int32 = 181
      static let responseCode: Int32 = 0x20_0002
      /// HTTP and HTTPS.
      static let webProtocols = 3
    }

    /// What an error code means.
    func text(ofError code: Int32) -> String {
      errorText(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Sends a request; 0 when an answer came.
    func post(
      _ url: String, headers: [String], body: String, into received: inout ContiguousArray<UInt8>,
      status: inout Int
    ) -> Int32 {
      guard let handle = create() else { return 2 }
      defer { destroy(handle) }
      var list: UnsafeMutableRawPointer?
      for header in headers { list = appendHeader(list, header) }
      defer { freeHeaders(list) }
      _ = setInteger(handle, Option.protocols, Option.webProtocols)
      _ = setInteger(handle, Option.noSignal, 1)
      _ = setInteger(handle, Option.timeout, HTTPPost.timeoutSeconds)
      _ = setPointer(handle, Option.headers, list)
      _ = setFunction(handle, Option.writeFunction) { data, size, count, target in
        guard let data, let target else { return 0 }
        target.assumingMemoryBound(to: ContiguousArray<UInt8>.self).pointee.append(
          contentsOf: UnsafeRawBufferPointer(start: data, count: size * count))
        return size * count
      }
      return url.withCString { url in
        body.withCString { text in
          withUnsafeMutablePointer(to: &received) { target in
            _ = setPointer(handle, Option.url, url)
            _ = setInteger(handle, Option.postFieldSize, body.utf8.count)
            _ = setPointer(handle, Option.postFields, text)
            _ = setPointer(handle, Option.writeData, target)
            let code = perform(handle)
            _ = getInteger(handle, Option.responseCode, &status)
            return code
          }
        }
      }
    }
  }
#endif
