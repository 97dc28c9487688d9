#if URLSESSION
  import Foundation
  import RelayStore

  #if canImport(FoundationNetworking)
    import RelayNetwork
  #endif

  /// A body in a temporary file, so that a `URLSession` can send it without reading it into memory.
  ///
  /// The file is removed when this object is released.
  final class SpooledBody: Sendable {
    let url: URL

    /// Writes a body to a file that only the current user can read.
    ///
    /// - Throws: ``RelayError`` with code `request` when the body cannot be read or the file cannot
    ///   be written.
    init(_ body: RequestBody) async throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "RelayStore-\(UUID().uuidString)")
      _ = FileManager.default.createFile(
        atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
      let file = try writing { try FileHandle(forWritingTo: url) }
      defer { try? file.close() }
      try await body.forEachChunk { [self] chunk in
        try writing { try file.write(contentsOf: chunk) }
      }
    }

    private func writing<Result>(_ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch {
        throw RelayError(
          .request, "The body of the request cannot be written to \"\(url.path)\": \(error)",
          underlying: error)
      }
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }
#endif
