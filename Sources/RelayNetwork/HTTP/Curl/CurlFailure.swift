#if os(Linux) && canImport(Glibc)
  import RelayStore
  import Foundation

  extension CurlEasy {
    /// The error of a failed transfer: `code` as ``LibCurl/error(_:)`` maps it, or a more specific one
    /// when the handle has the verdict on a certificate or the status of a proxy.
    package func failure(_ code: Int32) -> URLError {
      let (mapped, text) = (curl.error(code), failureText)
      let kind =
        switch code {
        case 60: certificateFault ?? mapped.code
        case 35, 55, 56: proxyRejection ?? Self.rejection(alert: text) ?? mapped.code
        default: mapped.code
        }
      guard !text.isEmpty else { return mapped }
      return URLError(kind, userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// The fault of the server's certificate, by OpenSSL's verdict (`X509_V_ERR_…`).
    ///
    /// OpenSSL has no verdict on a certificate for another host.
    private var certificateFault: URLError.Code? {
      switch integer(LibCurl.Info.certificateVerdict) {
      case 9: .serverCertificateNotYetValid
      case 10: .serverCertificateHasBadDate
      // No issuer, self-signed, a self-signed issuer, an issuer not sent, a chain of one.
      case 2, 18, 19, 20, 21: .serverCertificateHasUnknownRoot
      default: nil
      }
    }

    /// The error of a proxy that rejects the request for a tunnel, by its HTTP status.
    private var proxyRejection: URLError.Code? {
      switch integer(LibCurl.Info.proxyStatus) {
      case 407: .userAuthenticationRequired
      case 400..<600: .cannotConnectToHost
      default: nil
      }
    }

    /// The error of a TLS alert by which a server rejects the client's certificate.
    ///
    /// OpenSSL's error text contains the alert's name.
    ///
    /// Source: RFC 8446, section 6.2.
    static func rejection(alert text: String) -> URLError.Code? {
      guard let range = text.range(of: " alert ") else { return nil }
      let alert = text[range.upperBound...]
      if alert.hasPrefix("certificate required") { return .clientCertificateRequired }
      let isOfCertificate = [
        "bad certificate", "unsupported certificate", "certificate revoked", "certificate expired",
        "certificate unknown", "unknown ca", "access denied",
      ].contains { alert.hasPrefix($0) }
      return isOfCertificate ? .clientCertificateRejected : .secureConnectionFailed
    }
  }
#endif
