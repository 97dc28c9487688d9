import Foundation
import RelayStore

#if canImport(Darwin)
  import SQLite3
#endif

/// The functions of SQLite.
///
/// On Apple platforms they come from the system's module. On other platforms they are looked up by
/// name at run time, so building does not need headers. None of them is variadic.
struct SQLiteLibrary: Sendable {
  typealias Connection = OpaquePointer
  typealias Statement = OpaquePointer

  let open:
    @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutablePointer<Connection?>?, CInt, UnsafePointer<CChar>?
    ) -> CInt
  let close: @convention(c) (Connection?) -> CInt
  let execute:
    @convention(c) (
      Connection?, UnsafePointer<CChar>?,
      (
        @convention(c) (
          UnsafeMutableRawPointer?, CInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
          UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> CInt
      )?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> CInt
  let prepare:
    @convention(c) (
      Connection?, UnsafePointer<CChar>?, CInt, UnsafeMutablePointer<Statement?>?,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> CInt
  let step: @convention(c) (Statement?) -> CInt
  let reset: @convention(c) (Statement?) -> CInt
  let finalize: @convention(c) (Statement?) -> CInt
  let bindInt64: @convention(c) (Statement?, CInt, Int64) -> CInt
  let bindBytes:
    @convention(c) (
      Statement?, CInt, UnsafeRawPointer?, CInt,
      (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    ) -> CInt
  let bindText:
    @convention(c) (
      Statement?, CInt, UnsafePointer<CChar>?, CInt,
      (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    ) -> CInt
  let bindDouble: @convention(c) (Statement?, CInt, Double) -> CInt
  let bindNull: @convention(c) (Statement?, CInt) -> CInt
  let columnInt64: @convention(c) (Statement?, CInt) -> Int64
  let columnBytes: @convention(c) (Statement?, CInt) -> UnsafeRawPointer?
  let columnText: @convention(c) (Statement?, CInt) -> UnsafePointer<UInt8>?
  let columnByteCount: @convention(c) (Statement?, CInt) -> CInt
  let errorMessage: @convention(c) (Connection?) -> UnsafePointer<CChar>?
  let extendedErrorCode: @convention(c) (Connection?) -> CInt
  let versionNumber: @convention(c) () -> CInt

  /// The oldest version that the storage was tested with: 3.37.
  static let oldestVersion = 3_037_000

  #if canImport(Darwin)
    /// Uses the system's functions.
    ///
    /// - Parameter path: Not used.
    init(path: String? = nil) throws {
      open = sqlite3_open_v2
      close = sqlite3_close_v2
      execute = sqlite3_exec
      prepare = sqlite3_prepare_v2
      step = sqlite3_step
      reset = sqlite3_reset
      finalize = sqlite3_finalize
      bindInt64 = sqlite3_bind_int64
      bindBytes = sqlite3_bind_blob
      bindText = sqlite3_bind_text
      bindDouble = sqlite3_bind_double
      bindNull = sqlite3_bind_null
      columnInt64 = sqlite3_column_int64
      columnBytes = sqlite3_column_blob
      columnText = sqlite3_column_text
      columnByteCount = sqlite3_column_bytes
      errorMessage = sqlite3_errmsg
      extendedErrorCode = sqlite3_extended_errcode
      versionNumber = sqlite3_libversion_number
      try checkVersion()
    }
  #else
    /// Finds the functions in a shared library, which is never unloaded.
    ///
    /// - Parameter path: The library; by default, the system's.
    /// - Throws: ``PersistenceFailure`` that names the package to install.
    init(path: String? = nil) throws {
      let name = path ?? "libsqlite3.so.0"
      guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
        throw PersistenceFailure(
          .unavailable,
          "SQLite is not installed: \(name) was not found. Install the package libsqlite3-0 (Debian, Ubuntu), sqlite-libs (Fedora, Alpine) or sqlite (Amazon Linux)."
        )
      }
      // The function types match SQLite's documentation.
      func find<Function>(_ symbol: String) throws -> Function {
        guard let address = dlsym(library, symbol) else {
          throw PersistenceFailure(.unavailable, "\(name) has no function \(symbol).")
        }
        // A C function pointer has the size of a pointer.
        return unsafeBitCast(address, to: Function.self)
      }
      open = try find("sqlite3_open_v2")
      close = try find("sqlite3_close_v2")
      execute = try find("sqlite3_exec")
      prepare = try find("sqlite3_prepare_v2")
      step = try find("sqlite3_step")
      reset = try find("sqlite3_reset")
      finalize = try find("sqlite3_finalize")
      bindInt64 = try find("sqlite3_bind_int64")
      bindBytes = try find("sqlite3_bind_blob")
      bindText = try find("sqlite3_bind_text")
      bindDouble = try find("sqlite3_bind_double")
      bindNull = try find("sqlite3_bind_null")
      columnInt64 = try find("sqlite3_column_int64")
      columnBytes = try find("sqlite3_column_blob")
      columnText = try find("sqlite3_column_text")
      columnByteCount = try find("sqlite3_column_bytes")
      errorMessage = try find("sqlite3_errmsg")
      extendedErrorCode = try find("sqlite3_extended_errcode")
      versionNumber = try find("sqlite3_libversion_number")
      try checkVersion()
    }
  #endif

  private func checkVersion() throws {
    let version = Int(versionNumber())
    if version < Self.oldestVersion {
      throw PersistenceFailure(
        .unavailable,
        "SQLite has version \(version / 1_000_000).\(version / 1000 % 1000); 3.37 or later is "
          + "required."
      )
    }
  }
}
