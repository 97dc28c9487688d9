import Foundation
import SeededRandom
import Testing

@Suite("The inputs of the WebSocket fuzzer", .timeLimit(.minutes(1)))
struct WebSocketCheckTests {
  /// The seeds of the fuzzer, and its findings.
  private static let inputs: [URL] = {
    var root = URL(filePath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    return ["Seeds", "Findings"].flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(
        at: root.appending(path: "Fuzz/WebSocket/\(folder)"), includingPropertiesForKeys: nil))
        ?? []
    }.filter { !$0.lastPathComponent.hasPrefix(".") }
  }()

  @Test("are decoded the same however they are split", arguments: inputs)
  func replay(_ file: URL) throws {
    #expect(WebSocketCheck.failure([UInt8](try Data(contentsOf: file))) == nil)
  }

  @Test("exist")
  func inputsExist() { #expect(Self.inputs.count >= 10) }

  @Test("are decoded the same after random changes")
  func changes() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    let inputs = try Self.inputs.map { [UInt8](try Data(contentsOf: $0)) }
    for _ in 0..<3_000 {
      guard var bytes = inputs.randomElement(using: &generator), !bytes.isEmpty else { continue }
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = .random(in: 0 ... .max, using: &generator)
        case 1: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: index)
        default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &generator))
        }
      }
      #expect(WebSocketCheck.failure(bytes) == nil, "seed \(seed)")
    }
  }
}
