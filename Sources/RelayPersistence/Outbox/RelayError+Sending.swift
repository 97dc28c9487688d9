import RelayStore

extension RelayError {
  /// Whether the request certainly did not reach the server: the network or the connection was
  /// missing.
  var isUnsent: Bool { urlErrorCode.map(Self.unsentCodes.contains) ?? false }

  /// The code of the client's `URLError`, read without naming Foundation's type.
  var urlErrorCode: Int? {
    var cause: (any Error)? = underlying
    while let error = cause as? RelayError { cause = error.underlying }
    return cause.flatMap { $0._domain == Self.urlErrorDomain ? $0._code : nil }
  }

  /// The message for the user of an app. A network error is a short sentence with its code, such as
  /// "The server could not be reached (NSURLErrorDomain -1009)."
  var shortMessage: String {
    guard status == nil, let code = urlErrorCode else { return message }
    let sentence = isUnsent ? "The server could not be reached" : "The server has not responded"
    return "\(sentence) (\(Self.urlErrorDomain) \(code))."
  }

  private static let urlErrorDomain = "NSURLErrorDomain"

  /// The `URLError` codes of requests that never reached a server.
  private static let unsentCodes: Set<Int> = [
    -1003,  // cannotFindHost
    -1004,  // cannotConnectToHost
    -1006,  // dnsLookupFailed
    -1009,  // notConnectedToInternet
    -1013,  // userAuthenticationRequired: by a proxy
    -1018,  // internationalRoamingOff
    -1019,  // callIsActive
    -1020,  // dataNotAllowed
    -1022,  // appTransportSecurityRequiresSecureConnection
    -1200,  // secureConnectionFailed
    -1201,  // serverCertificateHasBadDate
    -1202,  // serverCertificateUntrusted
    -1203,  // serverCertificateHasUnknownRoot
    -1204,  // serverCertificateNotYetValid
    -1205,  // clientCertificateRejected
    -1206,  // clientCertificateRequired
  ]
}
