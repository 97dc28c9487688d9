/// The decoder of one format of incremental delivery.
///
/// A payload does not name its format, so each decoder takes the members that its format defines.
protocol IncrementalDecoder {
  /// Removes the members of this format from a payload, and returns them as events in the order
  /// they take effect.
  static func takeEvents(from members: inout PayloadMembers) throws -> [PartEvent]
}

extension PayloadMembers {
  /// Removes the parts and returns their events. The operation's own data and errors remain.
  ///
  /// The order matters: each decoder takes members that the next one would misread.
  mutating func takeEvents() throws -> [PartEvent] {
    try IncrementalDecoder2020.takeEvents(from: &self)
      + IncrementalDecoder2022.takeEvents(from: &self)
      + IncrementalDecoder2023.takeEvents(from: &self)
  }
}
