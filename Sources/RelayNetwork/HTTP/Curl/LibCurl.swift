#if os(Linux) && canImport(Glibc)
  import RelayStore
  internal import CLibCurl
  import Foundation
  import Glibc
  import Synchronization

  /// The functions of the system's libcurl, loaded by the first request.
  ///
  /// The C target `CLibCurl` declares their types and calls the variadic ones.
  ///
  /// `@unchecked Sendable`: `init` fills in `functions`. After that it is never written to, and the
  /// only instance, ``loaded``, never deallocates it. libcurl allows calls from any thread if only
  /// one thread uses a handle at a time; ``CurlThread`` upholds that.
  package struct LibCurl: @unchecked Sendable {
    /// An easy or a multi handle.
    package typealias Handle = UnsafeMutableRawPointer
    /// A list of header lines.
    typealias List = OpaquePointer

    let functions: UnsafePointer<relay_curl>
    /// The library's name and version, such as "libcurl/7.88.1".
    let version: String

    private static let loaded = LibCurl()

    /// Returns the library, loading it on first use.
    ///
    /// - Throws: ``RelayError`` with code `transport` when libcurl is missing or older than 7.68.
    @Sendable package static func load() throws -> LibCurl {
      guard let loaded else { throw RelayError.noLibCurl }
      return loaded
    }

    private init?() {
      let table = UnsafeMutablePointer<relay_curl>.allocate(capacity: 1)
      table.initialize(to: relay_curl())
      // `CURL_GLOBAL_ALL`. Before 7.84, only one thread at a time may initialize libcurl.
      guard relay_curl_load(table) == relay_curl_all, table.pointee.global_init(3) == 0 else {
        table.deallocate()
        return nil
      }
      functions = UnsafePointer(table)
      let text = table.pointee.version().map { String(cString: $0) } ?? ""
      version = String(text.prefix { $0 != " " })
      // Runs before the TLS library's exit handler, which the initialization registered.
      atexit { LibCurl.closeForExit() }
    }
  }

  extension LibCurl {
    func makeMulti() -> Handle? { functions.pointee.multi_init() }

    func destroyMulti(_ multi: Handle) { _ = functions.pointee.multi_cleanup(multi) }

    /// Sets an option of a multi handle whose number is in libcurl's range for `long` options.
    func setMulti(_ option: Int32, of multi: Handle, to value: Int) {
      _ = relay_curl_multi_set_long(functions, multi, option, value)
    }

    package func add(_ easy: Handle, to multi: Handle) -> Int32 {
      functions.pointee.multi_add_handle(multi, easy)
    }

    package func remove(_ easy: Handle, from multi: Handle) {
      _ = functions.pointee.multi_remove_handle(multi, easy)
    }

    /// Sends and receives as much as possible without blocking.
    func perform(_ multi: Handle) -> Int32 {
      var running: Int32 = 0
      return functions.pointee.multi_perform(multi, &running)
    }

    /// Interrupts ``poll(_:_:milliseconds:)`` on another thread.
    func wake(_ multi: Handle) { _ = functions.pointee.multi_wakeup(multi) }

    /// Returns the next finished transfer and its code; `nil` when there are no more.
    func nextEnd(of multi: Handle) -> (easy: Handle, code: Int32)? {
      var rest: Int32 = 0
      while let message = functions.pointee.multi_info_read(multi, &rest) {
        guard message.pointee.kind == relay_curl_done, let easy = message.pointee.easy else {
          continue
        }
        return (easy, message.pointee.data.result)
      }
      return nil
    }

    /// A socket to poll in addition to libcurl's own.
    package struct WaitingSocket {
      let descriptor: Int32
      let events: Int16
      package var occurred: Int16 = 0

      package init(descriptor: Int32, events: Int16) {
        self.descriptor = descriptor
        self.events = events
      }
    }

    /// Waits for data, an event on `sockets`, ``wake(_:)`` or the end of `milliseconds`, then sets
    /// the events that occurred.
    package func poll(
      _ multi: Handle, _ sockets: inout [WaitingSocket], milliseconds: Int32
    ) -> Int32 {
      var entries = sockets.map {
        relay_curl_socket(descriptor: $0.descriptor, events: $0.events, occurred: 0)
      }
      let code = entries.withUnsafeMutableBufferPointer {
        functions.pointee.multi_poll(
          multi, $0.baseAddress, UInt32($0.count), milliseconds, nil)
      }
      for (index, entry) in entries.enumerated() { sockets[index].occurred = entry.occurred }
      return code
    }
  }

  extension LibCurl {
    private static let threadsInside = Atomic(0)
    private static let isExiting = Atomic(false)

    /// Runs `body`, which may use the TLS library. The caller is one of the client's threads.
    ///
    /// The TLS library frees its state when the process exits, while threads are still running.
    /// From that moment every thread that calls this function is suspended here.
    package static func inside<Result>(_ body: () -> Result) -> Result {
      threadsInside.add(1, ordering: .sequentiallyConsistent)
      defer { threadsInside.subtract(1, ordering: .sequentiallyConsistent) }
      if isExiting.load(ordering: .sequentiallyConsistent) {
        threadsInside.subtract(1, ordering: .sequentiallyConsistent)
        while true { pause() }
      }
      return body()
    }

    /// Waits until no thread is inside, but at most one second: an old libcurl may be waiting for a
    /// name server.
    private static func closeForExit() {
      isExiting.store(true, ordering: .sequentiallyConsistent)
      for _ in 0..<1_000 where threadsInside.load(ordering: .sequentiallyConsistent) > 0 {
        usleep(1_000)
      }
    }
  }

  extension LibCurl {
    /// Option values from `curl.h`; they never change.
    package enum Option {
      static let post: Int32 = 47
      static let tunnelsThroughProxy: Int32 = 61
      static let usesNewConnection: Int32 = 74
      static let httpVersion: Int32 = 84
      static let usesNoSignals: Int32 = 99
      static let connectsOnly: Int32 = 141
      static let protocols: Int32 = 181
      static let keepsAlive: Int32 = 213
      static let keepAliveIdleSeconds: Int32 = 214
      static let keepAliveIntervalSeconds: Int32 = 215
      static let suppressesProxyHeaders: Int32 = 265
      static let longestIdleSeconds: Int32 = 288
      static let exitsQuickly: Int32 = 322
      static let bodyData: Int32 = 10_001
      static let url: Int32 = 10_002
      static let uploadData: Int32 = 10_009
      static let errorText: Int32 = 10_010
      static let headerFields: Int32 = 10_023
      static let clientCertificate: Int32 = 10_025
      static let headerData: Int32 = 10_029
      static let method: Int32 = 10_036
      static let authorities: Int32 = 10_065
      static let clientKey: Int32 = 10_087
      static let encodings: Int32 = 10_102
      static let copiedBody: Int32 = 10_165
      static let seekData: Int32 = 10_168
      static let beforeRequestData: Int32 = 10_313
      static let receiveBody: Int32 = 20_011
      static let supplyBody: Int32 = 20_012
      static let receiveHeader: Int32 = 20_079
      static let seekBody: Int32 = 20_167
      static let beforeRequest: Int32 = 20_312
      static let firstOffset: Int32 = 30_000
      static let bodySize: Int32 = 30_120
      /// A multi handle option.
      static let hostConnections: Int32 = 7
    }

    /// The `curl.h` values of the information that a transfer provides.
    enum Info {
      static let status: Int32 = 0x20_0002
      static let certificateVerdict: Int32 = 0x20_000D
      static let proxyStatus: Int32 = 0x20_0016
      /// 1 for HTTP/1.0, 2 for HTTP/1.1, more for versions that multiplex requests.
      static let httpVersion: Int32 = 0x20_002E
      static let firstOffset: Int32 = 0x60_0000
      static let sentSize: Int32 = 0x60_0007
      static let receivedSize: Int32 = 0x60_0008
    }

    /// Codes that the transport sets or distinguishes.
    package enum Code {
      package static let unsupportedProtocol: Int32 = 1
      package static let outOfMemory: Int32 = 27
      package static let timedOut: Int32 = 28
      static let abortedByCallback: Int32 = 42
      static let again: Int32 = 81
      /// The codes for a header line above libcurl's own limit of 100 KiB. Older versions report
      /// exhausted memory, newer ones have a separate code.
      static let lineTooLong = [outOfMemory, 100]
    }

    /// Returns the error for a code other than 0, with the same `URLError` code that `URLSession`
    /// reports.
    package func error(_ code: Int32) -> URLError {
      let kind: URLError.Code =
        switch code {
        case Code.unsupportedProtocol: .unsupportedURL
        case 3: .badURL
        case 5, 6: .cannotFindHost
        case 7: .cannotConnectToHost
        case 8: .badServerResponse
        // HTTP/2 framing, incomplete body, empty response, send failure, receive failure.
        case 16, 18, 52, 55, 56, 92: .networkConnectionLost
        case Code.outOfMemory: .resourceUnavailable
        case Code.timedOut: .timedOut
        case 35: .secureConnectionFailed
        case 60: .serverCertificateUntrusted
        case 61: .cannotDecodeContentData
        default: .unknown
        }
      let text =
        functions.pointee.easy_strerror(code).map { String(cString: $0) }
        ?? "libcurl error \(code)"
      return URLError(kind, userInfo: [NSLocalizedDescriptionKey: text])
    }
  }
#endif
