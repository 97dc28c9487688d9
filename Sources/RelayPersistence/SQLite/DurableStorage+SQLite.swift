public import Foundation
public import RelayStore

extension DurableStorage {
  /// A database of SQLite, in a directory of its own for each user.
  ///
  ///     RecordStore(
  ///       configuration: .init(
  ///         storage: .sqlite(directory: caches.appending(path: "graph"), user: user.id)))
  ///
  /// The directory is created, readable for the owner of the process only. One store can have the
  /// database of a user open at a time; any other one gets an error in its log, and goes on without a
  /// storage.
  ///
  /// - Parameters:
  ///   - directory: The directory of the app's environment, such as a server; nothing else may be in
  ///     it.
  ///   - user: What identifies the user. The user's data is in a directory named by a hash of it, so
  ///     that no user's data is ever read for another one.
  ///   - schema: What identifies the schema that the program was compiled against. Records that were
  ///     stored with another one are dropped when the store is opened; the outbox stays. Without it,
  ///     what still fits is kept.
  ///   - cipher: An encryption of the records; `nil` for none.
  public static func sqlite(
    directory: URL, user: String = "", schema: String = "", cipher: (any StorageCipher)? = nil
  ) -> DurableStorage {
    let hash = String(SHA256.hexadecimal(Array(user.utf8)).prefix(32))
    var storage = sqlite(
      directory: directory.path + "/" + hash, schema: schema, cipher: cipher, library: nil)
    storage.user = hash
    return storage
  }

  /// A database of another build of SQLite, for tests.
  package static func sqlite(
    directory: String, schema: String = "", cipher: (any StorageCipher)? = nil, library: String?,
    vfs: String? = nil
  ) -> DurableStorage {
    var storage = DurableStorage {
      SQLiteStorageEngine(directory: directory, library: library, vfs: vfs)
    }
    (storage.schema, storage.cipher) = (schema, cipher)
    storage.makeOutboxEngine = {
      SQLiteStorageEngine(.outbox, directory: directory, library: library, vfs: vfs)
    }
    return storage
  }
}
