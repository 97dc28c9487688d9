import Foundation

extension Error {
  /// The error's description for a message: the first 300 characters of its `errorDescription`, or
  /// of its description if it has no `errorDescription`.
  package var text: String {
    let text = (self as? any LocalizedError)?.errorDescription ?? "\(self)"
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: 300, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return text[..<end] + "…"
  }
}
