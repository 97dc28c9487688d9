import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension RelayError {
  /// Whether the request certainly did not reach the server: there is no network, or no connection
  /// was made.
  var isUnsent: Bool {
    var cause: (any Error)? = underlying
    while let error = cause as? RelayError { cause = error.underlying }
    guard let code = (cause as? URLError)?.code else { return false }
    return Self.unsentCodes.contains(code)
  }

  private static let unsentCodes: Set<URLError.Code> = [
    .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .cannotFindHost,
    .dnsLookupFailed, .cannotConnectToHost, .appTransportSecurityRequiresSecureConnection,
    .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
    .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
  ]
}
