import Foundation
import SeededRandom
import Testing

@Suite("The parts of fuzzed responses", .timeLimit(.minutes(1)))
struct StreamingCheckTests {
  /// The seeds of the fuzzer, and its findings.
  private static let inputs: [URL] = {
    var root = URL(filePath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    return ["Seeds", "Findings"].flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(
        at: root.appending(path: "Fuzz/Streaming/\(folder)"), includingPropertiesForKeys: nil))
        ?? []
    }.filter { !$0.lastPathComponent.hasPrefix(".") }
  }()

  @Test("the fuzzer's inputs have the same parts however they are divided", arguments: inputs)
  func replay(_ file: URL) throws {
    #expect(StreamingCheck.failure([UInt8](try Data(contentsOf: file))) == nil)
  }

  @Test("the fuzzer's inputs exist")
  func inputsExist() { #expect(Self.inputs.count >= 8) }

  @Test("randomly changed responses have the same parts however they are divided")
  func changes() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let inputs = try Self.inputs.map { [UInt8](try Data(contentsOf: $0)) }
    for _ in 0..<3_000 {
      guard var bytes = inputs.randomElement(using: &generator), !bytes.isEmpty else { continue }
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = .random(in: 0 ... .max, using: &generator)
        case 1: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: index)
        case 2: bytes.remove(at: index)
        default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &generator))
        }
      }
      let failure = StreamingCheck.failure(bytes)
      #expect(failure == nil, "\(bytes)")
    }
  }
}
