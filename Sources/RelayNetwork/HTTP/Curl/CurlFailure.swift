#if os(Linux) && canImport(Glibc)
  import RelayStore
  import Foundation

  extension LibCurl {
    /// The error of a failed transfer: `code` as ``error(_:)`` maps it, or a more specific one when
    /// the handle has the verdict on a certificate or the status of a proxy.
    ///
    /// - Parameter text: What libcurl wrote into the handle's error buffer, possibly nothing.
    package func failure(_ code: Int32, of handle: Handle, text: String) -> URLError {
      let mapped = error(code)
      let kind =
        switch code {
        case 60: certificateFault(of: handle) ?? mapped.code
        case 35, 55, 56: proxyRejection(of: handle) ?? Self.rejection(alert: text) ?? mapped.code
        default: mapped.code
        }
      guard !text.isEmpty else { return mapped }
      return URLError(kind, userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// The fault of the server's certificate, by OpenSSL's verdict (`X509_V_ERR_…`).
    ///
    /// OpenSSL has no verdict on a certificate for another host.
    private func certificateFault(of handle: Handle) -> URLError.Code? {
      switch integer(Info.certificateVerdict, of: handle) {
      case 9: .serverCertificateNotYetValid
      case 10: .serverCertificateHasBadDate
      // No issuer, self-signed, a self-signed issuer, an issuer not sent, a chain of one.
      case 2, 18, 19, 20, 21: .serverCertificateHasUnknownRoot
      default: nil
      }
    }

    /// The error of a proxy that rejects the request for a tunnel, by its HTTP status.
    private func proxyRejection(of handle: Handle) -> URLError.Code? {
      switch integer(Info.proxyStatus, of: handle) {
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
