/// The files that were written, by which a change that somebody else makes of them is noticed.
struct WrittenFiles {
  private var folder = ""
  /// The stamps of the files after they were written, by name.
  private var stamps: [String: FileStamp] = [:]

  /// Remembers the files of a folder: those that were written as they are now, and others as they
  /// were remembered.
  ///
  /// - Parameters:
  ///   - written: The files that were written or compared. Only these are looked up on the disk.
  ///   - names: All files; the others are forgotten.
  mutating func keep(_ written: some Sequence<String>, of names: Set<String>, in folder: String) {
    if folder != self.folder { stamps = [:] }
    self.folder = folder
    for name in written { stamps[name] = FileStamp(ofFile: folder + "/" + name) }
    if stamps.count > names.count { stamps = stamps.filter { names.contains($0.key) } }
  }

  /// Forgets the files, so that all of them count as changed.
  mutating func removeAll() { stamps = [:] }

  /// Returns the files that are missing in a folder, or are not the ones that were written.
  ///
  /// - Complexity: O(*n*) in the files, each of which is looked up on the disk.
  func changed(among names: Set<String>, in folder: String) -> Set<String> {
    guard folder == self.folder else { return names }
    return names.filter { name in
      guard let stamp = stamps[name] else { return true }
      return FileStamp(ofFile: folder + "/" + name) != stamp
    }
  }
}
