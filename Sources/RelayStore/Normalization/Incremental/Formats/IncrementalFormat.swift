/// A format of incremental delivery.
///
/// A payload does not name its format, so each format takes the members that it defines.
protocol IncrementalFormat {
  /// Removes what a payload says in this format, and returns it as events in the order in which they
  /// take effect.
  static func takeEvents(from members: inout PayloadMembers) throws -> [PartEvent]
}

extension PayloadMembers {
  /// Removes what the payload says about parts. The rest is the data of the whole operation, and its
  /// errors.
  mutating func takeEvents() throws -> [PartEvent] {
    try IncrementalFormat2020.takeEvents(from: &self)
      + IncrementalFormat2022.takeEvents(from: &self)
      + IncrementalFormat2023.takeEvents(from: &self)
  }
}
