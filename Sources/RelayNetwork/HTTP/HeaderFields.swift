import RelayStore

/// The rules for the header fields of a request.
///
/// Foundation silently drops a field that violates them; libcurl would silently send it as several
/// fields.
///
/// Source: RFC 9110, sections 5.1 and 5.5.
package enum HeaderFields {
  /// Checks fields before they are sent.
  ///
  /// - Throws: ``RelayError`` with code `request` that names the invalid field whose name sorts
  ///   first. It omits the value, which may be a secret.
  package static func check(_ fields: [String: String]) throws {
    let invalid = fields.filter { !isName($0.key) || fault(of: $0.value) != nil }
    guard let (name, value) = invalid.min(by: { $0.key < $1.key }) else { return }
    guard isName(name) else {
      throw RelayError(
        .request,
        "\(name.debugDescription) cannot be the name of a header field; use letters, digits and hyphens."
      )
    }
    throw RelayError(
      .request,
      "The value of the header field \"\(name)\" contains \(fault(of: value) ?? ""). Remove it.")
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(\.isTokenByte)
  }

  /// Returns a description of a forbidden character in a value; `nil` when the value is valid. Tabs
  /// are allowed.
  static func fault(of value: String) -> String? {
    let control = value.utf8.first { ($0 < 0x20 && $0 != UInt8(ascii: "\t")) || $0 == 0x7F }
    return switch control {
    case nil: nil
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"): "a line break"
    case 0: "a null character"
    default: "a control character"
    }
  }

  /// Returns a value without control characters, so that it cannot start another field.
  package static func withoutControls(_ value: String) -> String {
    let scalars = value.unicodeScalars.filter {
      ($0.value >= 0x20 && $0.value != 0x7F) || $0 == "\t"
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
