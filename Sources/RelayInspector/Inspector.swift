public import struct Foundation.Data
public import struct Foundation.URL
public import RelayRecording
import RelayStore

/// The inspector: a page that shows a timeline. It answers why a view was updated, why it was not, why
/// data is missing and why a record is kept.
///
///     try Inspector.write(environment.timeline(), to: URL(fileURLWithPath: "timeline.html"))
///
/// The page is one file. It loads nothing from the network, and may be sent by mail.
public enum Inspector {
  /// Returns the page of a timeline, in UTF-8. Equal timelines have equal pages.
  ///
  /// - Parameters:
  ///   - timeline: The timeline. Its values are on the page unless they are redacted.
  ///   - title: The title of the page; the date of the timeline's start by default.
  /// - Throws: `EncodingError` if a number of the timeline has no form in JSON.
  /// - Complexity: O(*n*) in the events and records.
  public static func page(of timeline: StoreTimeline, title: String? = nil) throws -> Data {
    try InspectorPage(timeline, title: title, isServed: false).data()
  }

  /// Writes the page of a timeline to a file, which is replaced as a whole.
  ///
  /// - Parameters:
  ///   - timeline: The timeline. Its values are on the page unless they are redacted.
  ///   - url: The URL of the file.
  ///   - title: The title of the page; the date of the timeline's start by default.
  /// - Throws: The error of the file system; `EncodingError` if a number of the timeline has no form in
  ///   JSON.
  public static func write(_ timeline: StoreTimeline, to url: URL, title: String? = nil) throws {
    try page(of: timeline, title: title).write(to: url, options: .atomic)
  }
}
