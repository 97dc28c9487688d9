/// A version of a store that any thread may read.
///
/// `@unchecked Sendable`: `contents` is immutable, and ``PublishedVersions`` guards `readerCount`.
final class PublishedVersion: @unchecked Sendable {
  let revision: UInt64
  /// The version. Its nodes are valid while the version is the newest or has readers.
  let contents: LayeredSource.Version
  @exclusivity(unchecked) var readerCount = 0

  init(_ contents: LayeredSource.Version, revision: UInt64) {
    (self.contents, self.revision) = (contents, revision)
  }
}
