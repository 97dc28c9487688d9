import Foundation
import RelayStore

extension Schema {
  /// The base module says for all others what a moment is.
  public typealias Moment = Date
}
