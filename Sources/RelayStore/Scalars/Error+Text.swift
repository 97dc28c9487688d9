import Foundation

extension Error {
  /// The error's text for a message: its `errorDescription`, else its description, of both the first 300
  /// characters.
  package var text: String {
    let text = (self as? any LocalizedError)?.errorDescription ?? "\(self)"
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: 300, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return text[..<end] + "…"
  }
}
