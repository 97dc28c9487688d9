import Foundation

/// Points in time as strings, in the Internet profile of ISO 8601.
///
/// Source: RFC 3339, section 5.6. The colon in the offset is optional.
enum ISO8601 {
  /// Parses a date with a time and an offset; returns `nil` for any other string.
  static func date(_ text: String) -> Date? {
    var rest = Array(text.utf8)[...]
    guard let year = number(&rest, digits: 4), consume("-", &rest),
      let month = number(&rest, digits: 2), consume("-", &rest),
      let day = number(&rest, digits: 2),
      consume("T", &rest) || consume("t", &rest) || consume(" ", &rest),
      let hour = number(&rest, digits: 2), consume(":", &rest),
      let minute = number(&rest, digits: 2), consume(":", &rest),
      let second = number(&rest, digits: 2), let fraction = fraction(&rest),
      let offset = offset(&rest), rest.isEmpty, hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = days(toYear: year, month: month, day: day)
    // A day that the month does not have counts as a day of another month.
    guard calendarDay(days) == (year, month, day) else { return nil }
    let seconds = Int64(days) * 86_400 + Int64((hour * 60 + minute) * 60 + second - offset)
    return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
  }

  /// Formats a point in time in UTC, with a fraction of three or six digits if it is not zero.
  static func text(_ date: Date) -> String {
    let interval = date.timeIntervalSinceReferenceDate
    // Only four-digit years can be written; other dates are clamped to the nearest.
    let limited = interval.isFinite ? min(max(interval, -63_113_904_000), 252_423_993_599) : 0
    let microseconds = Int64((limited * 1_000_000).rounded())
    let (seconds, fraction) = microseconds.quotientRoundedDown(by: 1_000_000)
    let (days, rest) = seconds.quotientRoundedDown(by: 86_400)
    let (year, month, dayOfMonth) = calendarDay(Int(clamping: days))
    let time = Int(clamping: rest)
    return year.padded(to: 4) + "-" + month.padded(to: 2) + "-" + dayOfMonth.padded(to: 2) + "T"
      + (time / 3_600).padded(to: 2) + ":" + (time / 60 % 60).padded(to: 2) + ":"
      + (time % 60).padded(to: 2) + digits(ofFraction: Int(clamping: fraction)) + "Z"
  }

  // MARK: Reading

  private static func consume(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool
  {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Int? {
    guard rest.count >= digits else { return nil }
    var value = 0
    for byte in rest.prefix(digits) {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    rest.removeFirst(digits)
    return value
  }

  /// Parses the fraction of a second; returns zero if there is none.
  private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Double? {
    guard consume(".", &rest) || consume(",", &rest) else { return 0 }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    rest.removeFirst(digits.count)
    return digits.isEmpty ? nil : Double("0." + String(decoding: digits, as: UTF8.self))
  }

  /// Parses the number of seconds that local time is ahead of UTC.
  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if consume("Z", &rest) || consume("z", &rest) { return 0 }
    let sign = consume("+", &rest) ? 1 : consume("-", &rest) ? -1 : 0
    guard sign != 0, let hours = number(&rest, digits: 2) else { return nil }
    let hasColon = consume(":", &rest)
    if rest.isEmpty, !hasColon { return hours < 24 ? sign * hours * 3_600 : nil }
    guard let minutes = number(&rest, digits: 2), hours < 24, minutes < 60 else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }

  // MARK: Calendar

  /// Returns the days from 2001-01-01 in the proleptic Gregorian calendar.
  private static func days(toYear year: Int, month: Int, day: Int) -> Int {
    // Years start in March, so that the leap day is the last day of a year.
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = year.quotientRoundedDown(by: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 730_791
  }

  private static func calendarDay(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (days + 730_791).quotientRoundedDown(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  // MARK: Writing

  private static func digits(ofFraction microseconds: Int) -> String {
    if microseconds == 0 { return "" }
    if microseconds % 1_000 == 0 { return "." + (microseconds / 1_000).padded(to: 3) }
    return "." + microseconds.padded(to: 6)
  }
}

extension FixedWidthInteger where Self: SignedInteger {
  /// Divides towards negative infinity; the remainder is never negative.
  fileprivate func quotientRoundedDown(by divisor: Self) -> (quotient: Self, remainder: Self) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
