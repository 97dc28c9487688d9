#if os(Linux) && canImport(Glibc)
  import RelayStore
  import Foundation

  extension CurlEasy {
    /// Returns the error of a failed transfer.
    ///
    /// Maps `code` with ``LibCurl/error(_:)``. A certificate verdict, a proxy status or a TLS alert
    /// gives a more specific error.
    package func failure(_ code: Int32) -> URLError {
      let (mapped, text) = (curl.error(code), failureText)
      let kind =
        switch code {
        case 60: certificateFault ?? mapped.code
        case 35, 55, 56: proxyRejection ?? Self.rejection(alert: text) ?? mapped.code
        default: mapped.code
        }
      if text.isEmpty { return kind == mapped.code ? mapped : URLError(kind) }
      return URLError(kind, userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// The fault of the server's certificate, from OpenSSL's verdict (`X509_V_ERR_…`).
    ///
    /// OpenSSL gives no verdict on a certificate for a different host.
    private var certificateFault: URLError.Code? {
      switch integer(LibCurl.Info.certificateVerdict) {
      case 9: .serverCertificateNotYetValid
      case 10: .serverCertificateHasBadDate
      // No issuer, self-signed, self-signed issuer, issuer not sent, chain of one certificate.
      case 2, 18, 19, 20, 21: .serverCertificateHasUnknownRoot
      default: nil
      }
    }

    /// The error for a proxy that rejects the tunnel, from its HTTP status.
    private var proxyRejection: URLError.Code? {
      switch integer(LibCurl.Info.proxyStatus) {
      case 407: .userAuthenticationRequired
      case 400..<600: .cannotConnectToHost
      default: nil
      }
    }

    /// Returns the error for a server's TLS alert, such as one that rejects the client certificate;
    /// `nil` if `text` names no alert.
    ///
    /// OpenSSL's error message contains the name of the alert.
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
