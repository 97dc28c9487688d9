// Mutates saved inputs at random, without coverage guidance but at full speed. Compiled by
// Fuzz/run.sh together with the sources of GraphQLLanguage. Arguments: seconds, seed, folders of
// inputs. An input that fails is written to the last folder.
//
// A run consists of rounds of 100,000 inputs. Each round prints its own seed first. After a crash,
// passing the last printed seed as the argument reproduces the inputs.
import Foundation

@main struct Mutator {
  private var generator: Generator
  private let inputs: [[UInt8]]
  /// The valid inputs. They are mutated more often than the invalid ones.
  private let validInputs: [[UInt8]]
  /// The inputs that are valid schemas; half of the mutations start from one of them.
  private let schemas: [[UInt8]]
  private let words: [[UInt8]]

  static func main() {
    let arguments = CommandLine.arguments
    let seconds = arguments.count > 1 ? Double(arguments[1]) ?? 60 : 60
    var seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 1 : 1
    let inputs = arguments.dropFirst(3).flatMap(files(in:))
    let outcomes = inputs.map { SyntaxCheck.outcome(ContiguousArray($0), in: Workspace()) }
    let validInputs = zip(inputs, outcomes).filter { $1 != .rejected }.map(\.0)
    let schemas = zip(inputs, outcomes).filter { $1 == .schema }.map(\.0)
    let end = Date().addingTimeInterval(seconds)
    var total = 0
    var counts = OutcomeCounts()
    while Date() < end {
      print("seed \(seed)")
      fflush(nil)
      var mutator = Mutator(
        generator: Generator(state: seed), inputs: inputs, validInputs: validInputs,
        schemas: schemas, words: words)
      mutator.run(100_000, seed: seed, findings: arguments.last ?? ".", &counts)
      total += 100_000
      seed += 1
    }
    print(
      "Checked \(total) inputs without a fault; \(counts.documents) were valid documents, "
        + "\(counts.schemas) more valid schemas")
  }

  /// The number of inputs with each outcome.
  private struct OutcomeCounts {
    var documents = 0
    var schemas = 0
  }

  /// Checks `count` mutated inputs, and exits at the first one that fails.
  private mutating func run(
    _ count: Int, seed: UInt64, findings: String, _ counts: inout OutcomeCounts
  ) {
    var workspace = Workspace()
    for index in 0..<count {
      if index % 200 == 0 { workspace = Workspace() }
      let bytes = ContiguousArray(next())
      switch SyntaxCheck.outcome(bytes, in: workspace) {
      case .rejected: continue
      case .document: counts.documents += 1
      case .schema: counts.schemas += 1
      case .failed(let failure):
        let file = "\(findings)/fault-\(seed)-\(index)"
        _ = FileManager.default.createFile(atPath: file, contents: Data(bytes))
        print("FAULT: \(failure)\n\(file):\n\(String(decoding: bytes, as: UTF8.self))")
        exit(1)
      }
    }
  }

  /// Returns a saved input with one or two mutations.
  private mutating func next() -> [UInt8] {
    let kind = Int.random(in: 0..<8, using: &generator)
    var bytes = pick(kind < 4 ? schemas : kind < 7 ? validInputs : inputs)
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      let start = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, start + Int.random(in: 0...12, using: &generator))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: pick(words), at: start)
      case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
      case 3: bytes.replaceSubrange(start..<end, with: pick(words))
      case 4:
        let other = pick(inputs)
        let from = Int.random(in: 0...other.count, using: &generator)
        bytes.replaceSubrange(start..<end, with: other[from...].prefix(40))
      default:
        if start < bytes.count { bytes[start] = UInt8.random(in: 0 ... .max, using: &generator) }
      }
    }
    return bytes.count > 600 ? Array(bytes.prefix(600)) : bytes
  }

  private mutating func pick(_ choices: [[UInt8]]) -> [UInt8] {
    choices.isEmpty ? [] : choices[Int.random(in: 0..<choices.count, using: &generator)]
  }

  private static func files(in folder: String) -> [[UInt8]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
      .map { [UInt8]($0) }
  }

  private static let words = [
    "query", "fragment a on b", "extend ", "type ", "enum ", "directive @", " on ", "\"\"\"",
    "\\\"\"\"", "\"",
    "\\u{1F600}", "\\uD83D\\uDE00", "\\n", "\n", "\r\n", " ", "\t", "{", "}", "(", ")", "[", "]",
    "{a}",
    "(a:1)", "$a", "@a", "...", ":", "=", "!", "|", "&", "null", "1.5e3", "-0", "é", "#", "FIELD",
    ",", "Query", "ID!", "[Int!]", "= {}", "= []", " implements ", "schema ", "input ", "union ",
    "interface ", "scalar ", "@oneOf", "@deprecated", "@skip(if: true)", "__", "true", "\"name\":",
    "\"kind\":", "\"OBJECT\"", "\"ENUM\"", "\"INPUT_OBJECT\"", "\"fields\":[", "\"locations\":[]",
  ].map { Array($0.utf8) }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }
}
