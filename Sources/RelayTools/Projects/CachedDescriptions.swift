import Foundation
import RelayCompiler

/// A cache of SwiftPM's package descriptions. A changed date or size of a manifest invalidates its
/// entry.
final class CachedDescriptions {
  private var descriptions: [String: (stamp: FileStamp, data: Data?)] = [:]

  /// Returns the description of the package in a folder.
  func description(of folder: String) -> Data? {
    guard let stamp = FileStamp(ofFile: folder + "/Package.swift") else { return nil }
    if let known = descriptions[folder], known.stamp == stamp { return known.data }
    let data = PackageDescriber.describe(folder)
    descriptions[folder] = (stamp, data)
    return data
  }
}
