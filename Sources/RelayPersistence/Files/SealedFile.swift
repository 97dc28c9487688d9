import RelayStore

/// The format of files that one process writes and another reads.
///
/// It consists of the kind, the version, the number of bytes that follow, their checksum, and the
/// contents, optionally encrypted by a cipher.
enum SealedFile {
  /// The kind of a file, identified by its first eight bytes.
  package enum Kind: String, Sendable {
    case snapshot = "RelayStS"
    case mutation = "RelayStM"

    fileprivate var name: String { self == .snapshot ? "snapshot" : "mutation" }
  }

  /// The version of the format and its contents. Files of any other version are not read.
  package static let version: UInt64 = 1
  /// The maximum number of bytes of a snapshot.
  static let snapshotByteLimit = 256 << 20
  private static let headerSize = 32

  /// Returns the bytes of a file.
  ///
  /// - Throws: Any error thrown by the cipher.
  package static func seal(
    _ contents: [UInt8], as kind: Kind, cipher: (any PersistenceCipher)?
  ) throws -> [UInt8] {
    let contents = try cipher?.seal(contents) ?? contents
    var writer = ByteWriter(capacity: contents.count + headerSize)
    for byte in kind.rawValue.utf8 { writer.byte(byte) }
    writer.fixed(version)
    writer.fixed(UInt64(contents.count))
    writer.fixed(contents.withUnsafeBytes { checksum($0, kind) })
    contents.withUnsafeBytes { writer.raw($0) }
    return writer.bytes
  }

  /// Reads a file and returns its contents; `nil` if it does not exist.
  ///
  /// - Parameter limit: The maximum number of bytes.
  /// - Throws: ``PersistenceFailure``, as ``open(_:as:cipher:)`` and
  ///   ``FileSystem/read(_:limit:headerSize:check:)``.
  package static func read(
    _ path: String, as kind: Kind, cipher: (any PersistenceCipher)?, limit: Int, files: FileSystem
  ) throws -> ArraySlice<UInt8>? {
    let bytes = try files.read(path, limit: limit, headerSize: headerSize) { header, size in
      _ = try checksum(inHeader: header, size: size, kind)
    }
    return try bytes.map { try open($0, as: kind, cipher: cipher) }
  }

  /// Returns the contents of a file.
  ///
  /// - Throws: ``PersistenceFailure`` of kind `corrupt` that describes the damage.
  package static func open(
    _ bytes: [UInt8], as kind: Kind, cipher: (any PersistenceCipher)?
  ) throws -> ArraySlice<UInt8> {
    let sum = try checksum(
      inHeader: Array(bytes.prefix(headerSize)), size: bytes.count, kind)
    let contents = bytes[headerSize...]
    guard contents.withUnsafeBytes({ checksum($0, kind) }) == sum else {
      throw problem("It is damaged: its checksum is wrong.")
    }
    guard let cipher else { return contents }
    do { return try cipher.open(Array(contents))[...] } catch {
      throw problem("The cipher could not decrypt it: \(error)")
    }
  }

  /// Returns the checksum in a header.
  ///
  /// - Parameter size: The size of the file in bytes.
  /// - Throws: ``PersistenceFailure`` if the header does not match this kind, version and size.
  private static func checksum(
    inHeader header: [UInt8], size: Int, _ kind: Kind
  ) throws -> UInt64 {
    let magic = Array(kind.rawValue.utf8)
    guard header.prefix(magic.count).elementsEqual(magic.prefix(header.count)) else {
      throw problem("It is not a RelayStore \(kind.name) file.")
    }
    let (isHeader, version, count, sum) = header.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      _ = reader.raw(magic.count)
      let (version, count, sum) = (reader.fixed(), reader.fixed(), reader.fixed())
      return (reader.isValid, version, count, sum)
    }
    guard isHeader else { throw problem("It is truncated: it has \(size.counted("byte")).") }
    guard version == Self.version else {
      throw problem("It has version \(version); this program reads \(Self.version).")
    }
    let contentsSize = size - headerSize
    guard UInt64(contentsSize) >= count else {
      throw problem("It is truncated: it has \(contentsSize) of \(count) bytes.")
    }
    guard UInt64(contentsSize) == count else {
      throw problem("It is damaged: it has \(contentsSize.counted("byte")) instead of \(count).")
    }
    return sum
  }

  private static func problem(_ text: String) -> PersistenceFailure {
    PersistenceFailure(.corrupt, text)
  }

  private static func checksum(_ bytes: UnsafeRawBufferPointer, _ kind: Kind) -> UInt64 {
    var checksum = Checksum(seed: kind == .snapshot ? 1 : 2)
    checksum.combine(bytes)
    return checksum.value
  }
}
