// The WidgetKit declarations that a guide uses, as Apple documents them. The bodies are stubs.

public import Foundation

@available(macOS 11, iOS 14, watchOS 9, visionOS 26, *)
@available(tvOS, unavailable)
public protocol TimelineEntry {
  var date: Date { get }
}

@available(macOS 11, iOS 14, watchOS 9, visionOS 26, *)
@available(tvOS, unavailable)
public struct TimelineReloadPolicy: Equatable, Sendable {
  public static let atEnd = TimelineReloadPolicy()
  public static let never = TimelineReloadPolicy()
}

@available(macOS 11, iOS 14, watchOS 9, visionOS 26, *)
@available(tvOS, unavailable)
public struct Timeline<EntryType: TimelineEntry> {
  public init(entries: [EntryType], policy: TimelineReloadPolicy) {}
}

@available(macOS 11, iOS 14, watchOS 9, visionOS 26, *)
@available(tvOS, unavailable)
public struct TimelineProviderContext {}

@available(macOS 11, iOS 14, watchOS 9, visionOS 26, *)
@available(tvOS, unavailable)
public protocol TimelineProvider {
  associatedtype Entry: TimelineEntry
  typealias Context = TimelineProviderContext

  func placeholder(in context: Context) -> Entry
  @preconcurrency
  func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void)
  @preconcurrency
  func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
}
