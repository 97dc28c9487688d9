/// The files written by the compiler, used to detect changes by anyone else.
struct WrittenFiles {
  private var folder = ""
  /// The stamps of the files after writing, by name.
  private var stamps: [String: FileStamp] = [:]

  /// Saves the current stamps of the written files. The other files in `names` keep their stamps.
  ///
  /// - Parameters:
  ///   - written: The files that were written or compared. Only these are looked up on disk.
  ///   - names: All current files; the stamps of any other file are dropped.
  mutating func keep(_ written: some Sequence<String>, of names: Set<String>, in folder: String) {
    if folder != self.folder { stamps = [:] }
    self.folder = folder
    for name in written { stamps[name] = FileStamp(ofFile: folder + "/" + name) }
    if stamps.count > names.count { stamps = stamps.filter { names.contains($0.key) } }
  }

  /// Clears the stamps, so that all files count as changed.
  mutating func removeAll() { stamps = [:] }

  /// Returns the files that are missing from a folder or have changed since they were written.
  ///
  /// - Complexity: O(*n*) in the files; each is looked up on disk.
  func changed(among names: Set<String>, in folder: String) -> Set<String> {
    guard folder == self.folder else { return names }
    return names.filter { name in
      guard let stamp = stamps[name] else { return true }
      return FileStamp(ofFile: folder + "/" + name) != stamp
    }
  }
}
