public import Foundation
public import RelayStore

extension Persistence {
  /// A SQLite database, in a separate directory for each user.
  ///
  ///     RecordStore(
  ///       configuration: .init(
  ///         persistence: .sqlite(directory: caches.appending(path: "graph"), user: user.id)))
  ///
  /// The directory is created and readable only by the process owner. Only one store can have a
  /// user's database open at a time; any other store logs an error and continues without a storage.
  ///
  /// - Parameters:
  ///   - directory: The directory of the app's environment, such as a server. It must not contain
  ///     anything else.
  ///   - user: The identifier of the user. Each user's directory is named by a hash of the
  ///     identifier, so that one user's data is never read for another.
  ///   - schema: The identifier of the schema that the program was compiled against. Records
  ///     persisted with a different schema are dropped when the store is opened; the outbox is
  ///     preserved. Without an identifier, records that still fit are retained.
  ///   - cipher: An encryption of the records; `nil` for none.
  public static func sqlite(
    directory: URL, user: String = "", schema: String = "", cipher: (any PersistenceCipher)? = nil
  ) -> Persistence {
    let hash = String(SHA256.hexadecimal(Array(user.utf8)).prefix(32))
    var persistence = sqlite(
      directory: directory.path + "/" + hash, schema: schema, cipher: cipher, library: nil)
    persistence.user = hash
    return persistence
  }

  /// A database of a different build of SQLite, for tests.
  package static func sqlite(
    directory: String, schema: String = "", cipher: (any PersistenceCipher)? = nil,
    library: String?,
    vfs: String? = nil
  ) -> Persistence {
    var persistence = Persistence {
      SQLiteEngine(directory: directory, library: library, vfs: vfs)
    }
    (persistence.schema, persistence.cipher) = (schema, cipher)
    persistence.uploadDirectory = SQLiteEngine.uploads(in: directory)
    persistence.makeOutboxEngine = {
      SQLiteEngine(.outbox, directory: directory, library: library, vfs: vfs)
    }
    return persistence
  }
}
