import Foundation

/// A point in time in ISO 8601, with a time and an offset: `2026-03-01T09:30:00Z`,
/// `2026-03-01T09:30:00.125+01:00`.
///
/// Sent in UTC, with a fraction of up to six digits if it is not zero. A date without a time is not
/// a point in time and does not convert; use your own type for such scalars.
extension Date: CustomScalar {
  public init(json: JSONValue) throws {
    self = try json.string.flatMap(ISO8601.date)
      .orMismatch("a time and an offset as ISO 8601 writes them")
  }

  public var json: JSONValue { .string(ISO8601.text(self)) }
}

/// A UUID in upper or lower case, sent in lower case. Source: RFC 9562, section 4.
extension UUID: CustomScalar {
  public init(json: JSONValue) throws {
    self = try json.string.flatMap(UUID.init(uuidString:)).orMismatch("a UUID")
  }

  public var json: JSONValue { .string(uuidString.lowercased()) }
}

/// A URL, absolute or relative.
extension URL: CustomScalar {
  public init(json: JSONValue) throws {
    self = try json.string.flatMap(URL.init(string:)).orMismatch("a URL")
  }

  public var json: JSONValue { .string(absoluteString) }
}

/// A number, or a string that contains one, with exactly its digits. A number that `Decimal` cannot
/// hold exactly does not convert. Sent as a number.
extension Decimal: CustomScalar {
  public init(json: JSONValue) throws {
    self = try json.numeric.flatMap(Decimal.init(exactly:))
      .orMismatch("a number of at most 38 digits")
  }

  public var json: JSONValue { isNaN ? .null : .number(JSONNumber(digits: description)) }

  /// Creates a value if its digits fit exactly: at most 38 digits, and an exponent of one byte.
  private init?(exactly number: JSONNumber) {
    let parts = number.digits.split { $0 == "e" || $0 == "E" }
    let mantissa = (parts.first ?? "").filter(\.isWholeNumber).drop { $0 == "0" }
    let fraction = (parts.first ?? "").split(separator: ".").dropFirst().first?.count ?? 0
    guard mantissa.count <= 38, let power = parts.count > 1 ? Int(parts[1]) : 0,
      mantissa.isEmpty || (-90...90).contains(power) && fraction <= 90,
      let value = Decimal(string: number.digits, locale: nil)
    else { return nil }
    self = value
  }
}
