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

  private static let unsentCodes: Set<URLError.Code> = [
    .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .cannotFindHost,
    .dnsLookupFailed, .cannotConnectToHost, .appTransportSecurityRequiresSecureConnection,
    .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
    .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
  ]
}
