import Foundation
import GraphQLLanguage
import SeededRandom
import Testing

@Suite("Any bytes", .timeLimit(.minutes(1))) struct SyntaxCheckTests {
  private static let fuzz = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fuzz/Syntax")

  @Test(
    "the fuzzer's seeds and all inputs that once failed pass the check",
    arguments: ["Seeds", "Findings"])
  func replay(folder: String) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.fuzz.appending(path: folder), includingPropertiesForKeys: nil)
    for file in files {
      let bytes = ContiguousArray(try Data(contentsOf: file))
      let failure = SyntaxCheck.failure(bytes)
      #expect(failure == nil, "\(file.lastPathComponent)")
    }
    #expect(folder == "Findings" || !files.isEmpty)
  }

  @Test(
    "every prefix of a valid document passes the check, and so does every change of one byte"
  )
  func prefixesAndChanges() throws {
    let file = Self.fuzz.appending(path: "Seeds/executable.graphql")
    let bytes = ContiguousArray(try Data(contentsOf: file))
    for end in 0...bytes.count {
      #expect(SyntaxCheck.failure(ContiguousArray(bytes[..<end])) == nil, "prefix of \(end) bytes")
    }
    for index in bytes.indices {
      for replacement: UInt8 in [0, 0x22, 0x7B, 0x7D, 0x5C, 0xFF] {
        var changed = bytes
        changed[index] = replacement
        #expect(SyntaxCheck.failure(changed) == nil, "byte \(index) changed to \(replacement)")
      }
    }
  }

  @Test("random bytes pass the check")
  func randomBytes() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let count = Int.random(in: 0..<40, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
      #expect(SyntaxCheck.failure(ContiguousArray(bytes)) == nil, "\(bytes)")
    }
  }
}
