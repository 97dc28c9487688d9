// Runs one case once, and prints its CPU time and memory. Benchmarks/run.py starts a new process
// for each run:
//     language-benchmark schema SCHEMA
//     language-benchmark documents SCHEMA DOCUMENTS
//     language-benchmark syntax FILE
import Foundation
import GraphQLLanguage

/// The CPU time of this process, in milliseconds.
func cpuMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// The peak resident memory of this process, in bytes; zero on systems without /proc.
func peakBytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  let words = line?.split(whereSeparator: \.isWhitespace) ?? []
  return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * 1024
}

func read(_ path: String) throws -> Source {
  let data = try Data(contentsOf: URL(fileURLWithPath: path))
  return Source(path: path, bytes: ContiguousArray(data))
}

/// Runs `work` once, and prints its CPU time and the growth of the peak resident memory.
func measure(_ work: () -> [Diagnostic]) {
  let memory = peakBytes()
  let start = cpuMilliseconds()
  let found = work()
  let time = cpuMilliseconds() - start
  if let first = found.first(where: { $0.severity == .error }) {
    FileHandle.standardError.write(Data("\(found.count) errors: \(first.message)\n".utf8))
    exit(1)
  }
  print("cpu_ms=\(time) memory_bytes=\(peakBytes() - memory)")
}

func validated(_ source: Source, in workspace: Workspace) -> (ValidatedSchema, [Diagnostic]) {
  let parsed = workspace.parse(source)
  let schema = Schema.validated(from: [parsed.document], in: workspace, mode: .relay)
  return (schema, parsed.diagnostics + schema.diagnostics)
}

let arguments = Array(CommandLine.arguments.dropFirst())
let workspace = Workspace()
switch (arguments.first, arguments.count) {
case ("schema", 2):
  let source = try read(arguments[1])
  var kept: Schema?
  measure {
    let (schema, found) = validated(source, in: workspace)
    kept = schema.schema
    return found
  }
  precondition(kept?.types.isEmpty == false)
case ("documents", 3):
  let (schema, _) = validated(try read(arguments[1]), in: workspace)
  let source = try read(arguments[2])
  measure {
    let parsed = workspace.parse(source)
    return parsed.diagnostics + schema.schema.validate([parsed.document], mode: .relay)
  }
case ("syntax", 2):
  let source = try read(arguments[1])
  var text = ""
  measure {
    let parsed = workspace.parse(source)
    text = parsed.document.text()
    return parsed.diagnostics
  }
  precondition(!text.isEmpty)
default:
  print("usage: language-benchmark schema SCHEMA | documents SCHEMA DOCUMENTS | syntax FILE")
  exit(2)
}
