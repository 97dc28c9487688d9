/// The encryption of the data that a store persists.
///
/// A store encrypts each row separately: a page of 64 records, or a list of ids or names. The
/// numbers and sizes of rows remain readable.
public protocol PersistenceCipher: Sendable {
  /// Encrypts bytes. The result may have a different count.
  func seal(_ bytes: [UInt8]) throws -> [UInt8]
  /// Decrypts bytes returned by ``seal(_:)``, possibly in an earlier run of the program.
  ///
  /// - Throws: Any error if the bytes were encrypted with another key; the store then starts empty.
  func open(_ bytes: [UInt8]) throws -> [UInt8]
}
