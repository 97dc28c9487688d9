/// A format of incremental delivery.
///
/// A payload does not name its format, so each format takes the members that it defines.
protocol IncrementalFormat {
  /// Removes the members of this format from a payload, and returns them as events in the order in which
  /// they take effect.
  static func takeEvents(from members: inout PayloadMembers) throws -> [PartEvent]
}

extension PayloadMembers {
  /// Removes the parts and returns their events. The operation's own data and errors remain.
  mutating func takeEvents() throws -> [PartEvent] {
    try IncrementalFormat2020.takeEvents(from: &self)
      + IncrementalFormat2022.takeEvents(from: &self)
      + IncrementalFormat2023.takeEvents(from: &self)
  }
}
