import Foundation
import RelayStore
import Testing

/// Random operations with parts, and graphql-core's responses to them; see
/// Tests/Integration/Incremental.
struct Oracle {
  /// A document, its plans, and its responses.
  struct Case {
    let seed: Int
    let selection: TestSelection
    let variables: Variables
    let plain: JSONValue
    let sequences: [Sequence]
  }

  /// The payloads of one response.
  struct Sequence {
    let format: String
    let payloads: [JSONValue]
    /// The plain response that leads to the same store.
    let expected: JSONValue
    let hasFailed: Bool
    /// Whether the remaining elements of a streamed list failed.
    let hasFailedList: Bool
    /// Whether an error removed more than its own field.
    let hasBubbled: Bool
    let parts: [Part]
  }

  /// A deferred fragment on an object with an id.
  struct Part {
    let record: DataID
    let label: String
    let fragment: String
    /// The index of the payload that makes the part pending.
    let announced: Int
    /// The index of the payload that delivers the part.
    let arrived: Int
    /// Whether the object is missing fields that arrive with the part.
    let isExpected: Bool
  }

  private(set) var cases: [Case] = []
  /// The states that the responses reached, with their counts.
  private(set) var reached: [String: Int] = [:]
  /// The documents that do not compile.
  private(set) var rejected: [String] = []

  /// Creates operations from successive seeds, and executes them.
  ///
  /// - Parameter orders: The maximum number of arrival orders for a response's parts.
  init(seed: Int, count: Int, orders: Int) async throws {
    let documents = try await Self.run(["documents", "\(seed)", "\(count)"], input: Data())
    var selections: [Int: (selection: TestSelection, variables: Variables)] = [:]
    var input = Data()
    for document in documents {
      do {
        let selection = try TestSelection(
          compiling: document["document"]?.string ?? "", schema: document["schema"]?.string ?? "")
        // A fragment is not deferred if all its fields are also selected without it.
        guard ["@defer(label:", "@stream(label:"].contains(where: selection.text.contains) else {
          continue
        }
        let variables = Variables(json: document["variables"]?.object ?? [:])
        selections[document["seed"]?.int ?? 0] = (selection, variables)
        var line = document.object ?? [:]
        line["text"] = .string(selection.text)
        input += JSONValue.object(line).jsonBytes + [UInt8(ascii: "\n")]
      } catch {
        rejected.append("\(error)")
      }
    }
    for response in try await Self.run(["responses", "\(orders)"], input: input) {
      guard let seed = response["seed"]?.int, let made = selections[seed] else { continue }
      for member in response["reached"]?.object?.members ?? [] {
        reached[member.key, default: 0] += member.value.int ?? 0
      }
      cases.append(
        Case(
          seed: seed, selection: made.selection, variables: made.variables,
          plain: response["plain"] ?? .null,
          sequences: response["sequences"]?.array?.map(Sequence.init) ?? []))
    }
  }

  // MARK: The program

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let python = root.appending(path: ".venv/bin/python")

  /// Whether the virtual environment that runs the program exists, or must exist.
  static var isAvailable: Bool {
    ProcessInfo.processInfo.environment["RELAYSTORE_REQUIRE_SERVER"] == "1"
      || FileManager.default.isExecutableFile(atPath: python.path)
  }

  /// Runs the program until it exits, and returns the lines that it prints.
  private static func run(_ arguments: [String], input: Data) async throws -> [JSONValue] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "oracle-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (inputFile, outputFile) = (folder.appending(path: "in"), folder.appending(path: "out"))
    try input.write(to: inputFile)
    try Data().write(to: outputFile)
    let process = Process()
    process.executableURL = python
    process.arguments =
      ["-B", "-W", "ignore", root.appending(path: "Tests/Integration/Incremental").path] + arguments
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    let status = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    try #require(status == 0, "The program \(arguments) has failed.")
    return try Data(contentsOf: outputFile).split(separator: UInt8(ascii: "\n")).map {
      try JSONValue(parsing: Array($0))
    }
  }
}

extension Oracle.Sequence {
  init(_ json: JSONValue) {
    format = json["format"]?.string ?? ""
    payloads = json["payloads"]?.array ?? []
    expected = json["expected"] ?? .null
    hasFailed = json["failed"]?.bool ?? false
    hasFailedList = json["listFailed"]?.bool ?? false
    hasBubbled = json["hasBubbled"]?.bool ?? false
    parts = json["parts"]?.array?.map(Oracle.Part.init) ?? []
  }
}

extension Oracle.Part {
  fileprivate init(_ json: JSONValue) {
    record = DataID(json["record"]?.string ?? "")
    label = json["label"]?.string ?? ""
    fragment = json["fragment"]?.string ?? ""
    announced = json["announced"]?.int ?? 0
    arrived = json["arrived"]?.int ?? 0
    isExpected = json["isExpected"]?.bool ?? false
  }
}
