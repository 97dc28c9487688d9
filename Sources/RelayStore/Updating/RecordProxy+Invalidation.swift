extension RecordProxy {
  /// Declares the record out of date: operations that reach it and were last written before check
  /// as stale from then on, until they are fetched again.
  ///
  /// Without effect in an optimistic update, and where the updater deletes the record.
  public func invalidateRecord() throws { try session.invalidate(index) }
}

extension RecordSourceProxy {
  /// Declares everything in the store out of date: operations that were last written before, or in
  /// the same publish, check as stale from then on, until they are fetched again.
  ///
  /// Without effect in an optimistic update.
  public func invalidateStore() throws { try session.invalidate(nil) }
}
