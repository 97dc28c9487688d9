public import struct Foundation.Data
public import struct Foundation.URL
public import RelayRecording
import RelayStore

/// A page that shows a timeline: why a view was updated or was not, why data is missing and why a
/// record is retained.
///
///     try Inspector.write(environment.timeline(), to: URL(fileURLWithPath: "timeline.html"))
///
/// The page is a single file that loads nothing from the network, so it can be sent by mail.
public enum Inspector {
  /// Returns the page for a timeline, in UTF-8. Equal timelines have equal pages.
  ///
  /// - Parameters:
  ///   - timeline: The timeline. Its values are on the page unless they are redacted.
  ///   - title: The title of the page; the date of the timeline's start by default.
  /// - Throws: `EncodingError` if a number in the timeline cannot be represented in JSON.
  /// - Complexity: O(*n*) in the events and records.
  public static func page(of timeline: StoreTimeline, title: String? = nil) throws -> Data {
    try InspectorPage(timeline, title: title, isServed: false).data()
  }

  /// Writes the page for a timeline to a file, replacing it atomically.
  ///
  /// - Parameters:
  ///   - timeline: The timeline. Its values are on the page unless they are redacted.
  ///   - url: The URL of the file.
  ///   - title: The title of the page; the date of the timeline's start by default.
  /// - Throws: A file-system error; `EncodingError` if a number in the timeline cannot be
  ///   represented in JSON.
  public static func write(_ timeline: StoreTimeline, to url: URL, title: String? = nil) throws {
    try page(of: timeline, title: title).write(to: url, options: .atomic)
  }
}
