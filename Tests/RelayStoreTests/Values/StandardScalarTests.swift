import Foundation
import RelayStore
import Testing

@Suite("Standard custom scalars", .timeLimit(.minutes(1)))
struct StandardScalarTests {
  @Test(
    "dates are parsed with and without a fraction, in any time zone offset",
    arguments: [
      ("2026-03-01T09:30:00Z", 794_050_200.0), ("2026-03-01T10:30:00+01:00", 794_050_200),
      ("2026-03-01t09:30:00.125z", 794_050_200.125), ("2026-03-01T04:00:00-0530", 794_050_200),
      ("2001-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59.5Z", -26_438_400.5),
      ("1969-12-31T23:59:59Z", -978_307_201), ("0001-01-01T00:00:00Z", -63_113_904_000),
      ("9999-12-31T23:59:59Z", 252_423_993_599),
    ])
  func moments(text: String, seconds: Double) throws {
    #expect(try Date(json: .string(text)).timeIntervalSinceReferenceDate == seconds)
  }

  @Test(
    "a string that is not a date and time does not convert",
    arguments: [
      "2026-03-01", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-03-01T24:00:00Z",
      "2026-03-01T09:30:00", "2026-03-01T09:30:00.Z", "2026-03-01T09:30:00Z ", "", "now",
      "2026-03-01T09:30:00+01:", "2026-03-01T09:60:00Z",
    ])
  func noMoments(text: String) {
    #expect(throws: (any Error).self) { try Date(json: .string(text)) }
  }

  @Test("dates are sent in UTC, with a fraction only if there is one")
  func sentMoments() throws {
    for text in [
      "2026-03-01T09:30:00Z", "2026-03-01T09:30:00.125Z", "1969-12-31T23:59:59.000250Z",
      "0001-01-01T00:00:00Z", "2000-02-29T00:00:00Z",
    ] {
      #expect(try Date(json: .string(text)).json == .string(text))
    }
    #expect(Date(timeIntervalSinceReferenceDate: .infinity).json == "2001-01-01T00:00:00Z")
  }

  @Test("every day of four centuries converts to text and back unchanged")
  func days() throws {
    for day in stride(from: -73_000, through: 73_000, by: 1) {
      let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
      #expect(try Date(json: date.json) == date)
    }
  }

  @Test("decimals keep all their digits, or do not convert")
  func decimals() throws {
    let digits = "12345678901234567890123456789012345.678"
    let number = try JSONValue(parsing: Array(digits.utf8))
    #expect(try Decimal(json: number).json.description == digits)
    #expect(try Decimal(json: .string("0.1")) + Decimal(json: .string("0.2")) == Decimal(3) / 10)
    #expect(try Decimal(json: .string("1e3")) == 1000)
    for text in ["1234567890123456789012345678901234567890", "1e400", "12abc", "", "0x10", "1."] {
      #expect(throws: (any Error).self, "\(text)") { try Decimal(json: .string(text)) }
    }
    #expect(throws: (any Error).self) { try Decimal(json: true) }
  }

  @Test("decimals with a fraction and a power keep the exact value, or do not convert")
  func smallDecimals() throws {
    func small(_ zeros: Int, _ digits: String, _ power: Int) -> JSONValue {
      .string("0.\(String(repeating: "0", count: zeros))\(digits)e-\(power)")
    }
    let least = try #require(Decimal(string: "1e-128"))
    #expect(try Decimal(json: small(89, "1", 38)) == least)
    #expect(try Decimal(json: small(37, "1", 90)) == least)
    for (zeros, digits, power) in [
      (89, "1", 90), (89, "1", 39), (38, "1", 90),
      (52, "12345678901234567890123456789012345678", 39),
    ] {
      #expect(throws: (any Error).self, "\(zeros) \(power)") {
        try Decimal(json: small(zeros, digits, power))
      }
    }
  }

  @Test("UUIDs and URLs convert to and from strings")
  func texts() throws {
    let uuid = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
    #expect(try UUID(json: .string(uuid.uppercased())).json == .string(uuid))
    #expect(throws: (any Error).self) { try UUID(json: "f81d") }
    #expect(try URL(json: "https://example.org/a?b=c").json == "https://example.org/a?b=c")
    #expect(throws: (any Error).self) { try URL(json: "") }
  }

  @Test("numbers, strings and Booleans have the initializer of custom scalars")
  func standard() throws {
    #expect(try Int(json: 3) == 3 && Double(json: 1.5) == 1.5 && Float(json: 0.1) == 0.1)
    #expect(Float(0.1).json == 0.1)
    #expect(try Bool(json: true) && String(json: 1.50) == "1.5" && String(json: true) == "true")
    let long = try JSONValue(parsing: Array("1.50e400".utf8))
    #expect(String(json: long) == "1.50e400")
    #expect(throws: (any Error).self) { try Int(json: "3") }
    #expect(throws: (any Error).self) { try Float(json: long) }
  }
}
