extension RecordProxy {
  /// Invalidates the record. Operations that reach it and were last written before are stale until
  /// they are fetched again.
  ///
  /// No effect in an optimistic update, or if the updater deletes the record.
  public func invalidateRecord() throws { try session.invalidate(index) }
}

extension RecordSourceProxy {
  /// Invalidates the entire store. Operations that were last written before, or in the same
  /// publish, are stale until they are fetched again.
  ///
  /// No effect in an optimistic update.
  public func invalidateStore() throws { try session.invalidate(nil) }
}
