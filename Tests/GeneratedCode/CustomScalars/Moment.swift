// The Swift type of the scalar Moment. This file is yours: relay-compiler made it once and will not
// change it. Any type that conforms to CustomScalar may stand here.

extension Schema {
  /// A point in time.
  public typealias Moment = Swift.String
}
