import GraphQLLanguage

/// The portion of a tool's result that fits into one message.
///
/// Assistants reject long results, so a page leaves out the rest and ends with advice on how to ask
/// for it.
struct ResultPage {
  /// The largest size of a result in characters (Unicode scalars).
  static let limit = 20_000
  /// The number of characters reserved for what precedes and follows the elements.
  private static let reserve = 400

  private let offset: Int
  private let total: Int
  /// The singular name of an element.
  private let unit: String
  /// Whether all elements are before the page.
  private let isPastEnd: Bool
  private let limit: Int
  private var room: Int
  private var count = 0
  private var texts: [String] = []

  /// Creates an empty page.
  ///
  /// - Parameters:
  ///   - offset: The number of elements before the page.
  ///   - total: The number of all elements.
  ///   - unit: The singular name of an element.
  ///   - limit: The largest number of elements on the page.
  ///   - used: The number of characters that precede the page in the same result.
  init(offset: Int, of total: Int, _ unit: String, limit: Int, used: Int = 0) {
    self.offset = min(offset, total)
    self.total = total
    self.unit = unit
    isPastEnd = Self.isPastEnd(offset, of: total)
    self.limit = limit
    room = Self.limit - Self.reserve - used
  }

  /// The indices of the elements that may be on the page. The page ends early when it is full.
  var indices: Range<Int> { offset..<min(total, offset + limit) }

  /// Adds an element.
  ///
  /// - Returns: Whether there was room. The first element is cut if it is longer than a page.
  mutating func add(_ text: String) -> Bool {
    let length = text.unicodeScalars.count + 1
    if length > room {
      if count > 0 { return false }
      texts.append(Self.cut(text, to: room))
    } else {
      texts.append(text)
    }
    room -= length
    count += 1
    return true
  }

  /// Returns the elements, and the advice for the rest.
  ///
  /// - Parameter advice: How to ask for the elements from an offset on.
  func text(_ advice: (_ offset: Int) -> String) -> String {
    if isPastEnd { return Self.end(total, unit) }
    let next = offset + count
    if next >= total { return texts.joined(separator: "\n") }
    let end = "… and \(total - next) more. \(advice(next))"
    return (texts + [end]).joined(separator: "\n")
  }

  private static func isPastEnd(_ offset: Int, of total: Int) -> Bool {
    offset > 0 && offset >= total
  }

  /// Returns the contents of a page after the last element.
  private static func end(_ total: Int, _ unit: String) -> String {
    "No more: the result has \(total.counted(unit)) in all."
  }

  /// Returns the start of a string, with the number of characters left out.
  static func cut(_ text: String, to limit: Int) -> String {
    let count = text.unicodeScalars.count
    if count <= limit { return text }
    let shown = max(0, limit - 60)
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(shown)))
      + "… (\(count - shown) more characters are left out)"
  }

  /// Returns the portion of a string from an offset to the last line end that fits.
  ///
  /// - Parameter advice: How to ask for the characters from an offset on.
  static func text(
    _ text: String, from offset: Int, used: Int = 0, _ advice: (_ offset: Int) -> String
  ) -> String {
    let total = text.unicodeScalars.count
    if isPastEnd(offset, of: total) { return end(total, "character") }
    let scalars = text.unicodeScalars.dropFirst(offset)
    let room = max(1_000, limit - reserve - used)
    if scalars.count <= room { return String(String.UnicodeScalarView(scalars)) }
    var page = scalars.prefix(room)
    if let end = page.lastIndex(of: "\n"), page.startIndex < end { page = page[...end] }
    let rest = scalars.count - page.count
    let text = String(String.UnicodeScalarView(page))
    return text + (text.hasSuffix("\n") ? "" : "\n")
      + "… and \(rest) more characters. \(advice(offset + page.count))"
  }
}
