#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
  import Foundation
  import Glibc
  import Synchronization

  /// The functions of the libcurl that Foundation is linked to, which is in the process already.
  ///
  /// `curl_easy_setopt` and its like take any number of arguments in C. Here they are functions of
  /// three, the last of them a pointer or an integer of 64 bits, as libcurl reads it for the options
  /// below. Linux passes both alike: the arguments of a variadic function are where those of a
  /// declared one are (System V ABI for x86-64, section 3.2.3; AAPCS64, section 6.8; Apple's
  /// differs). On x86-64 `%al` says besides how many vector registers have arguments (section
  /// 3.5.7), and is not set here: the callee saves these registers or does not, and libcurl reads
  /// none of them.
  struct LibCurl: Sendable {
    /// An easy or a multi handle.
    typealias Handle = OpaquePointer
    typealias List = UnsafeMutableRawPointer
    /// Is given bytes, 1, their number, and what the handle has as the data for this function.
    typealias Receive =
      @Sendable @convention(c) (UnsafePointer<UInt8>?, Int, Int, UnsafeMutableRawPointer?) -> Int

    let makeEasy: @Sendable @convention(c) () -> Handle?
    let destroyEasy: @Sendable @convention(c) (Handle) -> Void
    let setInteger: @Sendable @convention(c) (Handle, Int32, Int) -> Int32
    let setPointer: @Sendable @convention(c) (Handle, Int32, UnsafeRawPointer?) -> Int32
    let setReceive: @Sendable @convention(c) (Handle, Int32, Receive) -> Int32
    let getInteger: @Sendable @convention(c) (Handle, Int32, UnsafeMutablePointer<Int>) -> Int32
    let errorText: @Sendable @convention(c) (Int32) -> UnsafePointer<CChar>?
    let appending: @Sendable @convention(c) (List?, UnsafePointer<CChar>) -> List?
    let destroyList: @Sendable @convention(c) (List?) -> Void
    let makeMulti: @Sendable @convention(c) () -> Handle?
    let destroyMulti: @Sendable @convention(c) (Handle) -> Int32
    let setMultiInteger: @Sendable @convention(c) (Handle, Int32, Int) -> Int32
    let add: @Sendable @convention(c) (Handle, Handle) -> Int32
    let remove: @Sendable @convention(c) (Handle, Handle) -> Int32
    let perform: @Sendable @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> Int32
    let poll:
      @Sendable @convention(c) (
        Handle, UnsafeRawPointer?, UInt32, Int32, UnsafeMutablePointer<Int32>?
      ) -> Int32
    let wake: @Sendable @convention(c) (Handle) -> Int32
    let message: @Sendable @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> UnsafeRawPointer?
    /// Its name and version.
    let version: String

    /// `nil` where Foundation has libcurl inside itself, or one older than 7.68.
    static let loaded: LibCurl? = {
      guard let library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_NOLOAD) else { return nil }
      return try? LibCurl(library)
    }()

    private init(_ library: UnsafeMutableRawPointer) throws {
      func function<Function>(_ name: String) throws -> Function {
        guard let address = dlsym(library, name) else { throw URLError(.unknown) }
        return unsafeBitCast(address, to: Function.self)
      }
      makeEasy = try function("curl_easy_init")
      destroyEasy = try function("curl_easy_cleanup")
      setInteger = try function("curl_easy_setopt")
      setPointer = try function("curl_easy_setopt")
      setReceive = try function("curl_easy_setopt")
      getInteger = try function("curl_easy_getinfo")
      errorText = try function("curl_easy_strerror")
      appending = try function("curl_slist_append")
      destroyList = try function("curl_slist_free_all")
      makeMulti = try function("curl_multi_init")
      destroyMulti = try function("curl_multi_cleanup")
      setMultiInteger = try function("curl_multi_setopt")
      add = try function("curl_multi_add_handle")
      remove = try function("curl_multi_remove_handle")
      perform = try function("curl_multi_perform")
      poll = try function("curl_multi_poll")
      wake = try function("curl_multi_wakeup")
      message = try function("curl_multi_info_read")
      let versions: @convention(c) () -> UnsafePointer<CChar>? = try function("curl_version")
      version = versions().map { String(cString: $0).prefix { $0 != " " } }.map(String.init) ?? ""
      // Before 7.84 libcurl must not be initialized by several threads at once.
      let initialize: @convention(c) (Int) -> Int32 = try function("curl_global_init")
      guard initialize(3) == 0 else { throw URLError(.unknown) }
      // Comes before what the TLS library does, which was told to do so in the line above.
      atexit { LibCurl.closeForExit() }
    }
  }

  extension LibCurl {
    private static let threadsInside = Atomic(0)
    private static let isExiting = Atomic(false)

    /// Runs what may use the TLS library, on a thread that is libcurl's alone.
    ///
    /// A process that exits takes the library's state away while its threads still run, so from then on
    /// they stay here.
    static func inside<Result>(_ body: () -> Result) -> Result {
      threadsInside.add(1, ordering: .sequentiallyConsistent)
      defer { threadsInside.subtract(1, ordering: .sequentiallyConsistent) }
      if isExiting.load(ordering: .sequentiallyConsistent) {
        threadsInside.subtract(1, ordering: .sequentiallyConsistent)
        while true { pause() }
      }
      return body()
    }

    /// Waits until nobody is inside; not for ever, for an old libcurl may wait for a name server.
    private static func closeForExit() {
      isExiting.store(true, ordering: .sequentiallyConsistent)
      for _ in 0..<1_000 where threadsInside.load(ordering: .sequentiallyConsistent) > 0 {
        usleep(1_000)
      }
    }
  }

  extension LibCurl {
    /// Options and what can be asked for, by their numbers in `curl.h`, which never change.
    enum Option {
      static let post: Int32 = 47
      static let usesNoSignals: Int32 = 99
      static let protocols: Int32 = 181
      static let hidesProxyHeads: Int32 = 265
      static let leavesThreads: Int32 = 322
      static let bodyData: Int32 = 10_001
      static let url: Int32 = 10_002
      static let errorText: Int32 = 10_010
      static let fields: Int32 = 10_023
      static let clientCertificate: Int32 = 10_025
      static let headerData: Int32 = 10_029
      static let authorities: Int32 = 10_065
      static let clientKey: Int32 = 10_087
      static let encodings: Int32 = 10_102
      static let copiedBody: Int32 = 10_165
      static let receiveBody: Int32 = 20_011
      static let receiveHeader: Int32 = 20_079
      static let bodySize: Int32 = 30_120
      static let status: Int32 = 0x20_0002
      static let certificateVerdict: Int32 = 0x20_000D
      static let proxyStatus: Int32 = 0x20_0016
      static let sentSize: Int32 = 0x60_0007
      static let receivedSize: Int32 = 0x60_0008
      /// Of a multi handle.
      static let hostConnections: Int32 = 7
    }

    /// Codes that are used here too.
    enum Code {
      static let unsupportedProtocol: Int32 = 1
      static let outOfMemory: Int32 = 27
      static let timedOut: Int32 = 28
      /// For a line of header fields beyond libcurl's own limit of 100 KiB: as older versions, and newer ones, say it. The
      /// first is that of memory that has run out, too.
      static let lineTooLong = [outOfMemory, 100]
    }

    /// What is known of a code that is not 0, as `URLSession` on any platform says it.
    func error(_ code: Int32) -> URLError {
      let kind: URLError.Code =
        switch code {
        case Code.unsupportedProtocol: .unsupportedURL
        case 3: .badURL
        case 5, 6: .cannotFindHost
        case 7: .cannotConnectToHost
        case 8: .badServerResponse
        // HTTP/2, a part of a body, nothing, and what cannot be sent or received.
        case 16, 18, 52, 55, 56, 92: .networkConnectionLost
        case Code.outOfMemory: .resourceUnavailable
        case Code.timedOut: .timedOut
        case 35: .secureConnectionFailed
        case 60: .serverCertificateUntrusted
        case 61: .cannotDecodeContentData
        default: .unknown
        }
      let text = errorText(code).map { String(cString: $0) } ?? "libcurl's error \(code)"
      return URLError(kind, userInfo: [NSLocalizedDescriptionKey: text])
    }
  }
#endif
