public import Foundation
public import RelayStore

extension DurableStorage {
  /// A database of SQLite in a directory of its own.
  ///
  ///     RecordStore(configuration: .init(storage: .sqlite(directory: caches.appending(path: "graph"))))
  ///
  /// The directory is created, readable for the user only. One store can have it open at a time.
  ///
  /// - Parameters:
  ///   - directory: The directory; nothing else may be in it.
  ///   - schema: What identifies the schema that the program was compiled against.
  ///   - cipher: An encryption of the records; `nil` for none.
  public static func sqlite(
    directory: URL, schema: String = "", cipher: (any StorageCipher)? = nil
  ) -> DurableStorage {
    sqlite(directory: directory.path, schema: schema, cipher: cipher, library: nil)
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
    return storage
  }
}
