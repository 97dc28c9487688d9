/// App code, other than updaters, that the store calls while it reads or writes.
enum StoreCallback {
  /// Traps in debug builds if app code is running on the calling thread.
  static func checkNotRunning() {
    #if DEBUG
      if let current { preconditionFailure(message(of: current)) }
    #endif
  }

  /// Runs app code. In debug builds, the message of the trap names it if it uses the store.
  ///
  /// - Parameter name: The name of the callback in a message; evaluated only in debug builds.
  @inline(__always)
  static func run<Result, Failure: Error>(
    _ name: @autoclosure () -> String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if DEBUG
      let outer = value.current
      defer { value.current = outer }
      var result: Swift.Result<Result, Failure>?
      // The pointer is used only while `body` runs, by the same thread.
      withUnsafePointer(to: name()) { name in
        value.current = UnsafeRawPointer(name)
        do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
      }
      if let result { return try result.get() }
    #endif
    return try body()
  }

  #if DEBUG
    /// Returns the message of the trap when a callback uses the store.
    static func message(of name: String) -> String {
      "The store was used by \(name), which runs while the store reads or writes. It may only use "
        + "its arguments."
    }

    /// The name of the callback running on the calling thread; `nil` if there is none.
    static var current: String? {
      value.current?.assumingMemoryBound(to: String.self).pointee
    }

    private static let value = ThreadValue()
  #endif
}
