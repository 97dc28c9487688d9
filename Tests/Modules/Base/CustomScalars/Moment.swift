import Foundation
import RelayStore

extension Schema {
  /// The Swift type of the scalar `Moment` in this module and in all modules that depend on it.
  public typealias Moment = Date
}
