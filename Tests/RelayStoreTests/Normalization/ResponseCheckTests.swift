import Foundation
import SeededRandom
import Testing

@Suite(.timeLimit(.minutes(1))) struct ResponseCheckTests {
  /// The seeds of the fuzzer, and its findings.
  private static let inputs: [URL] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return ["Seeds", "Findings"].flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(
        at: root.appending(path: "Fuzz/Response/\(folder)"), includingPropertiesForKeys: nil)) ?? []
    }.filter { !$0.lastPathComponent.hasPrefix(".") }
  }()

  @Test("a response leaves the same records in every form", arguments: inputs)
  func replay(_ file: URL) throws {
    #expect(ResponseCheck.failure([UInt8](try Data(contentsOf: file))) == nil)
  }

  @Test("the fuzzer's inputs exist")
  func inputsExist() { #expect(Self.inputs.count >= 5) }

  @Test("randomly changed responses leave the same records in every form")
  func changes() throws {
    var generator = SeededGenerator(seed: 11)
    let inputs = try Self.inputs.map { [UInt8](try Data(contentsOf: $0)) }
    for _ in 0..<1500 {
      guard var bytes = inputs.randomElement(using: &generator), !bytes.isEmpty else { continue }
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = .random(in: 0 ... .max, using: &generator)
        case 1: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: place)
        case 2 where bytes.count > 1: bytes.remove(at: place)
        default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &generator))
        }
      }
      #expect(ResponseCheck.failure(bytes) == nil)
    }
  }
}
