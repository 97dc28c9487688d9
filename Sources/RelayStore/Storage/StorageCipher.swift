/// An encryption of what a store writes to the disk.
///
/// A store encrypts each row by itself: a page of 64 records, or a list of ids or names. The numbers
/// and sizes of rows stay readable.
public protocol StorageCipher: Sendable {
  /// Encrypts bytes. The result need not have the same count.
  func seal(_ bytes: [UInt8]) throws -> [UInt8]
  /// Decrypts bytes that ``seal(_:)`` has returned, maybe in an earlier run of the program.
  ///
  /// - Throws: Any error if the bytes were made by another key; the store then begins empty.
  func open(_ bytes: [UInt8]) throws -> [UInt8]
}
