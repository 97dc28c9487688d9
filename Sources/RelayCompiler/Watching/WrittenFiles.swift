/// The files that were written, by which a change that somebody else makes of them is noticed.
struct WrittenFiles {
  private var folder = ""
  /// The stamps of the files after they were written, by name.
  private var stamps: [String: FileStamp] = [:]

  /// Remembers files as they are now in a folder, in place of those before.
  ///
  /// - Complexity: O(*n*) in the files, each of which is looked up on the disk.
  mutating func keep(_ names: Set<String>, in folder: String) {
    self.folder = folder
    stamps = [:]
    for name in names { stamps[name] = FileStamp(ofFile: folder + "/" + name) }
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
