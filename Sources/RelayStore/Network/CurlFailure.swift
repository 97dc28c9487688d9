#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
  import Foundation
  import FoundationNetworking

  extension LibCurl {
    /// Why a transfer failed: the code as ``error(_:)`` maps it, unless the handle knows more of a
    /// certificate or a proxy.
    ///
    /// - Parameter text: What libcurl wrote into the handle's error buffer, possibly nothing.
    func failure(_ code: Int32, of handle: Handle, text: String) -> URLError {
      let mapped = error(code)
      let kind =
        switch code {
        case 60: certificateFault(of: handle) ?? mapped.code
        case 35, 55, 56: refusalByProxy(of: handle) ?? Self.refusal(alert: text) ?? mapped.code
        default: mapped.code
        }
      guard !text.isEmpty else { return mapped }
      return URLError(kind, userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// What is wrong with the server's certificate, by OpenSSL's verdict (`X509_V_ERR_…`); a certificate
    /// for another host has none.
    private func certificateFault(of handle: Handle) -> URLError.Code? {
      switch integer(Option.certificateVerdict, of: handle) {
      case 9: .serverCertificateNotYetValid
      case 10: .serverCertificateHasBadDate
      // No issuer, self-signed, a self-signed issuer, an issuer not sent, a chain of one.
      case 2, 18, 19, 20, 21: .serverCertificateHasUnknownRoot
      default: nil
      }
    }

    /// That the proxy does not open a tunnel, as its status says.
    private func refusalByProxy(of handle: Handle) -> URLError.Code? {
      switch integer(Option.proxyStatus, of: handle) {
      case 407: .userAuthenticationRequired
      case 400..<600: .cannotConnectToHost
      default: nil
      }
    }

    /// What a server's TLS alert says of the client's certificate; OpenSSL has the alert in its text.
    ///
    /// Source: RFC 8446, section 6.2.
    static func refusal(alert text: String) -> URLError.Code? {
      guard let range = text.range(of: " alert ") else { return nil }
      let alert = text[range.upperBound...]
      if alert.hasPrefix("certificate required") { return .clientCertificateRequired }
      let isOfCertificate = [
        "bad certificate", "unsupported certificate", "certificate revoked", "certificate expired",
        "certificate unknown", "unknown ca", "access denied",
      ].contains { alert.hasPrefix($0) }
      return isOfCertificate ? .clientCertificateRejected : .secureConnectionFailed
    }

    private func integer(_ option: Int32, of handle: Handle) -> Int {
      var value = 0
      _ = getInteger(handle, option, &value)
      return value
    }
  }
#endif
