import Foundation
import Testing

/// `Int` has 32 bits on the watches that watchOS 10 runs on. Nothing here can compile for them, so
/// the modules of apps are searched for the mistakes that only such an `Int` shows.
@Suite("Integers of 32 bits", .timeLimit(.minutes(10)))
struct IntegerWidthTests {
  private static let modules = [
    "GraphQLLanguage", "RelayStore", "RelayStoreSQLite", "RelaySwiftUI", "RelayStoreTesting",
    "RelayInspector",
  ]

  /// The files whose numbers have a type that their lines do not name.
  private static let exceptions = [
    "SHA1.swift": "words of UInt32", "SHA256.swift": "words of UInt32",
    "Checksum.swift": "a value of UInt64", "JSONScanner+Strings.swift": "scalars of UInt32",
    "InboxFileName.swift": "times of UInt64", "ISO8601.swift": "seconds of Double",
    "LoopbackConnection.swift": "attoseconds of Int64", "Base64.swift": "bits of UInt32",
  ]

  @Test("no expression of the modules of apps needs an Int of 64 bits")
  func sources() throws {
    var findings: [String] = []
    var files: Set<String> = []
    for file in Self.files() {
      let name = file.lastPathComponent
      let lines = try String(contentsOf: file, encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      for (number, line) in lines.enumerated() where Self.needsWideInt(line) {
        files.insert(name)
        if Self.exceptions[name] == nil { findings.append("\(name):\(number + 1): \(line)") }
      }
    }
    #expect(findings == [])
    #expect(Set(Self.exceptions.keys).subtracting(files) == [], "not exceptions any more")
  }

  @Test(
    "values that may need more than 32 bits are found",
    arguments: [
      "let limit = 4_294_967_296", "let mask = 0xFFFF_FFFF", "guard offset < 1 << 32 else {",
      "let size = Int(status.st_size)", "var position = Int(hash) & mask",
      "let home = Int(buckets[position] >> 32) & mask", "let count = Int(bits >> 3) & limit",
      "let now = Int(date.timeIntervalSince1970)",
      "let micro = Int((limited * 1_000_000).rounded())",
      "sent = .init(Int(totalBytesSent))",
    ])
  func mistakes(line: String) {
    #expect(Self.needsWideInt(line))
  }

  @Test(
    "values with a type of their own are not found",
    arguments: [
      "let limit: UInt64 = 4_294_967_296", "UInt64(hash) << 32 | UInt64(index)",
      "let size = Int(clamping: status.st_size)", "Int(truncatingIfNeeded: hash) & mask",
      "/// At most 4_294_967_296 records.", "static let longest = Duration.seconds(1_000_000_000)",
      "let count = Int(reader.count)", "let time = Double(elapsed) / 4_294_967_296",
    ])
  func others(line: String) {
    #expect(!Self.needsWideInt(line))
  }

  private static func files() -> [URL] {
    modules.flatMap { module -> [URL] in
      let folder = ModuleLayers.root.appending(path: "Sources/\(module)")
      let paths = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      return paths?.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
    }
  }

  /// Whether a line has a literal, a shift or a conversion that an `Int` of 32 bits may not hold.
  static func needsWideInt(_ line: String) -> Bool {
    let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
    if code.contains(
      /\bInt\((?!exactly|clamping|truncatingIfNeeded|bitPattern)/.ignoresCase(false)),
      code.contains(/Int\([^()]*(hash\b|bits >>|>> 3[0-9]|st_size|timeInterval|Bytes|rounded)/)
        || code.contains(/Int\(\(.*rounded\(\)/)
    {
      return true
    }
    if code.contains(/\b(Int64|UInt64|UInt32|Double)\b|truncatingIfNeeded/) { return false }
    if code.contains(/(<<|>>)=? *(3[1-9]|[4-6][0-9])\b/) { return true }
    return code.matches(of: /\b(0x[0-9A-Fa-f_]+|[0-9][0-9_]*)\b/).contains { match in
      let digits = match.output.0.filter { $0 != "_" }
      let value =
        digits.hasPrefix("0x")
        ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
      return value.map { $0 > 0x7FFF_FFFF } ?? true
    }
  }
}
