import Foundation
import RelayStore

extension RelayError {
  /// Marks the error as retryable or as a timeout, depending on a connection's error.
  package mutating func setConnectionFailure(_ error: any Error) {
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

  /// Returns the code of a socket error; `nil` for other errors. A session passes these on, for
  /// example when a connection did not survive a suspension of the app.
  private static func systemCode(of error: any Error) -> CInt? {
    if let error = error as? POSIXError { return error.code.rawValue }
    // The domain of the Network framework, whose sockets a session uses.
    return error._domain == "kNWErrorDomainPOSIX" ? CInt(truncatingIfNeeded: error._code) : nil
  }

  /// The socket errors after which the same request may succeed.
  private static let retryableSystemCodes: Set<CInt> = [
    ENETDOWN, ENETUNREACH, ENETRESET, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED, ECONNRESET,
    ECONNREFUSED, ENOTCONN, ETIMEDOUT, EPIPE, ENODATA,
  ]
}
