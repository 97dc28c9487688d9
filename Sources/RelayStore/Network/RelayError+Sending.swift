import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension RelayError {
  /// Whether the request certainly did not reach the server: there is no network, or no connection
  /// was made.
  var isUnsent: Bool { urlErrorCode.map(Self.unsentCodes.contains) ?? false }

  private var urlErrorCode: URLError.Code? {
    var cause: (any Error)? = underlying
    while let error = cause as? RelayError { cause = error.underlying }
    return (cause as? URLError)?.code
  }

  /// The message for the user of an app: for an error of the network a short sentence with its code,
  /// such as "The server could not be reached (NSURLErrorDomain -1009)."
  var shortMessage: String {
    guard status == nil, let code = urlErrorCode else { return message }
    let sentence = isUnsent ? "The server could not be reached" : "The server has not answered"
    return "\(sentence) (\(URLError.errorDomain) \(code.rawValue))."
  }

  /// Marks the error as retryable, or as a timeout, if the error of a connection is.
  mutating func setConnectionFailure(_ error: any Error) {
    if let code = (error as? URLError)?.code {
      isRetryable = Self.retryableCodes.contains(code)
      isTimeout = code == .timedOut
    } else if let code = Self.systemCode(of: error) {
      isRetryable = Self.retryableSystemCodes.contains(code)
      isTimeout = code == ETIMEDOUT
    }
  }

  /// The connection errors after which the same request may succeed.
  private static let retryableCodes: Set<URLError.Code> = [
    .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
    .notConnectedToInternet, .badServerResponse, .resourceUnavailable, .dataNotAllowed,
    .internationalRoamingOff, .callIsActive,
  ]

  /// Returns the code of a socket's error; `nil` for other errors. A session passes these on, for
  /// example when a connection has not survived a suspension of the app.
  private static func systemCode(of error: any Error) -> CInt? {
    if let error = error as? POSIXError { return error.code.rawValue }
    // The domain of the Network framework, by whose sockets a session sends.
    return error._domain == "kNWErrorDomainPOSIX" ? CInt(truncatingIfNeeded: error._code) : nil
  }

  /// The errors of sockets after which the same request may succeed.
  private static let retryableSystemCodes: Set<CInt> = [
    ENETDOWN, ENETUNREACH, ENETRESET, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED, ECONNRESET,
    ECONNREFUSED, ENOTCONN, ETIMEDOUT, EPIPE, ENODATA,
  ]

  private static let unsentCodes: Set<URLError.Code> = [
    .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive,
    .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost,
    .appTransportSecurityRequiresSecureConnection, .secureConnectionFailed,
    .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
    .serverCertificateNotYetValid,
  ]
}
