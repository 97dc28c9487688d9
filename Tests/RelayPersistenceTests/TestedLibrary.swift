import Foundation

/// The path of the SQLite that the tests use, from `RELAYSTORE_SQLITE_LIBRARY`; `nil` for the
/// system's.
let testedLibrary = ProcessInfo.processInfo.environment["RELAYSTORE_SQLITE_LIBRARY"]

/// Returns the number in an environment variable. Larger numbers make a test longer.
func size(_ variable: String, otherwise size: Int) -> Int {
  ProcessInfo.processInfo.environment[variable].flatMap(Int.init) ?? size
}
