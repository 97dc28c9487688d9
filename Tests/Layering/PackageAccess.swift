import Foundation

/// A search for unnecessary `package` access.
struct PackageAccess {
  private static let keywords: Set<Substring> = ["func", "var", "let"]

  /// Returns the functions and properties that `text` declares with `package` access, with their
  /// line numbers. Initializers and types are omitted, because one of these declarations may need
  /// them. A name counts as used if it occurs as a word in any other file.
  static func declarations(in text: String) -> [(name: String, line: Int)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      number, line in
      let words = line.split(separator: " ")
      guard let access = words.firstIndex(of: "package"),
        let keyword = words[access...].firstIndex(where: keywords.contains),
        keyword + 1 < words.count
      else { return nil }
      let name = words[keyword + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      return name.isEmpty ? nil : (String(name), number + 1)
    }
  }

  /// A file of the package.
  struct File {
    let path: String
    let text: String
    /// The words of the file that can be names.
    let words: Set<String>

    init(path: String, text: String) {
      self.path = path
      self.text = text
      let names = text.utf8.split { byte in
        !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) && byte != UInt8(ascii: "_")
      }
      words = Set(names.map { String(Substring($0)) })
    }
  }

  /// Returns the declarations in a module's folder that are not named anywhere outside it and can
  /// be internal. A test with a `@testable` import of the module does not count.
  static func unneeded(in module: String, of files: [File]) -> [String] {
    let own = files.filter { $0.path.hasPrefix("Sources/\(module)/") }
    var words: Set<String> = []
    for file in files where !file.path.hasPrefix("Sources/\(module)/") {
      if !file.text.contains("@testable import \(module)\n") { words.formUnion(file.words) }
    }
    return own.flatMap { file in
      declarations(in: file.text).filter { !words.contains($0.name) }.map {
        "\(file.path):\($0.line): \"\($0.name)\" is internal: no other module names it"
      }
    }
  }
}
