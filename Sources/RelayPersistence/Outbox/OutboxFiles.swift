import Foundation
import RelayStore

/// A file of a mutation in the outbox.
struct StoredUpload: Sendable, Hashable {
  /// The paths in the variables.
  var paths: [[String]]
  var fileName: String
  var contentType: String
  var byteCount: Int
  /// The digest of the content; see ``OutboxFiles``.
  var digest: String

  var json: JSONValue {
    [
      "paths": .array(paths.map { .array($0.map { .string($0) }) }), "name": .string(fileName),
      "type": .string(contentType), "size": .number(JSONNumber(byteCount)),
      "digest": .string(digest),
    ]
  }

  init(_ upload: Upload, paths: [[String]], byteCount: Int, digest: String) {
    (fileName, contentType) = (upload.fileName, upload.contentType)
    (self.paths, self.byteCount, self.digest) = (paths, byteCount, digest)
  }

  init?(json: JSONValue) {
    guard let paths = json["paths"]?.array, let name = json["name"]?.string,
      let type = json["type"]?.string, let size = json["size"]?.int,
      let digest = json["digest"]?.string, size >= 0
    else { return nil }
    self.paths = paths.map { $0.array?.compactMap(\.string) ?? [] }
    (fileName, contentType, byteCount, self.digest) = (name, type, size, digest)
  }
}

/// The files of the mutations in an outbox: a directory for each entry, with the files by number.
///
///     1. the files are copied, and are on the disk
///     2. the entry is written
///     3. files that are moved are removed from where they were
///
/// An entry's directory is removed after its row. One without an entry is removed when the outbox
/// is loaded. A digest is the SHA-256 of the SHA-256s of the content's mebibytes.
struct OutboxFiles: Sendable {
  let directory: String
  var files = FileSystem()

  /// Copies the files of a mutation.
  ///
  /// - Parameters:
  ///   - isMoving: Whether the files need not be copied, since they will be removed.
  ///   - limit: The maximum number of bytes.
  /// - Throws: ``RelayError`` with code `request` if a file cannot be read, or all of them are too
  ///   large; ``PersistenceFailure``. Nothing is left of the copies.
  func add(
    _ uploads: [VariableUpload], of id: OutboxEntry.ID, isMoving: Bool, limit: Int,
    operationName: String
  ) async throws -> [StoredUpload] {
    var paths: [Upload: [[String]]] = [:]
    var order: [Upload] = []
    for upload in uploads {
      if paths[upload.file] == nil { order.append(upload.file) }
      paths[upload.file, default: []].append(upload.path)
    }
    do {
      try files.makeProtectedDirectory(folder(of: id))
      var (stored, rest) = ([StoredUpload](), limit)
      for (number, upload) in order.enumerated() {
        let copy = try await CopiedFile(
          of: upload, to: path(of: id, number), isMoving: isMoving, limit: rest, files)
        rest -= copy.digest.byteCount
        stored.append(
          StoredUpload(
            upload, paths: paths[upload] ?? [], byteCount: copy.digest.byteCount,
            digest: copy.digest.text))
      }
      try files.synchronize(directory: folder(of: id))
      return stored
    } catch {
      try? remove(id)
      if error is PersistenceFailure || error is CancellationError { throw error }
      var failure =
        error as? RelayError
        ?? RelayError(.request, "A file cannot be read: \(error)", underlying: error)
      failure.operationName = operationName
      throw failure
    }
  }

  /// Returns the uploads to send.
  func uploads(_ stored: [StoredUpload], of id: OutboxEntry.ID) -> [VariableUpload] {
    stored.enumerated().flatMap { number, upload in
      let file = Upload(
        .file(path: path(of: id, number)), fileName: upload.fileName,
        contentType: upload.contentType)
      return upload.paths.map { VariableUpload(path: $0, file: file) }
    }
  }

  /// A copy that is damaged or gone.
  struct LostFile: Error, CustomStringConvertible {
    let fileName: String

    var description: String { "The outbox's copy of \"\(fileName)\" is damaged or gone." }
  }

  /// Checks that the files of an entry are those that were copied.
  ///
  /// - Throws: ``LostFile``.
  func check(_ stored: [StoredUpload], of id: OutboxEntry.ID) throws {
    for (number, upload) in stored.enumerated() {
      let digest = try? ContentDigest(ofFile: path(of: id, number))
      if digest?.text == upload.digest, digest?.byteCount == upload.byteCount { continue }
      throw LostFile(fileName: upload.fileName)
    }
  }

  /// Removes the files of an entry.
  ///
  /// - Throws: ``PersistenceFailure``.
  func remove(_ id: OutboxEntry.ID) throws {
    try files.removeContents(of: folder(of: id))
    FileSystem.removeIfEmpty(folder(of: id))
  }

  /// Removes the files of all entries but some.
  func removeAll(except ids: Set<OutboxEntry.ID>) {
    for name in (try? files.names(in: directory)) ?? [] where !ids.contains(OutboxEntry.ID(name)) {
      try? remove(OutboxEntry.ID(name))
    }
  }

  private func folder(of id: OutboxEntry.ID) -> String { "\(directory)/\(id.rawValue)" }

  private func path(of id: OutboxEntry.ID, _ number: Int) -> String {
    "\(folder(of: id))/\(number)"
  }
}

/// A digest of content that arrives in parts.
struct ContentDigest {
  private(set) var byteCount = 0
  private var block: [UInt8] = []
  private var digests: [UInt8] = []
  private static let blockSize = 1 << 20

  init() {}

  /// Computes the digest of a file.
  init(ofFile path: String) throws {
    let handle = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? handle.close() }
    while let data = try handle.read(upToCount: Self.blockSize), !data.isEmpty { add(Array(data)) }
  }

  mutating func add(_ bytes: [UInt8]) {
    byteCount += bytes.count
    block += bytes
    while block.count >= Self.blockSize {
      digests += SHA256.digest(Array(block.prefix(Self.blockSize)))
      block.removeFirst(Self.blockSize)
    }
  }

  var text: String { SHA256.hexadecimal(digests + SHA256.digest(block)) }
}

/// A file that has been copied, and is on the disk.
private struct CopiedFile {
  let digest: ContentDigest

  /// - Parameter limit: The maximum number of bytes.
  /// - Throws: ``RelayError`` with code `request`; ``PersistenceFailure``.
  init(
    of upload: Upload, to path: String, isMoving: Bool, limit: Int, _ files: FileSystem
  ) async throws {
    let overflow = RelayError(
      .request,
      "The files do not fit into the outbox, which has room for \(limit.counted("byte")); \"\(upload.fileName)\" is the first that does not."
    )
    if isMoving, case .file(let original) = upload.content,
      FileSystem.kind(of: original) == S_IFREG, link(original, path) == 0
    {
      try files.synchronize(file: path)
      digest = try ContentDigest(ofFile: path)
      if digest.byteCount > limit { throw overflow }
      return
    }
    let (file, state) = (try files.makeUpload(path), Locked(ContentDigest(), rank: .leaf))
    try await upload.forEachChunk { chunk in
      let byteCount = state.withLock { digest in
        digest.add(chunk)
        return digest.byteCount
      }
      if byteCount > limit { throw overflow }
      try file.write(chunk)
    }
    try file.synchronize()
    digest = state.withLock { $0 }
  }
}
