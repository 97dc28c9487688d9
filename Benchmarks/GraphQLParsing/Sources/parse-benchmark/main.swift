// Measures how fast texts are parsed and printed, in CPU time of the thread:
//     swift run -c release --package-path Benchmarks/GraphQLParsing parse-benchmark FILE… [RUNS]
import Foundation
import GraphQLLanguage

/// The CPU time this thread has used, in milliseconds.
func cpuMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// The resident memory of the process in MB, where the system tells.
func residentMegabytes() -> Double {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
    return .nan
  }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? .nan
  return pages * 4096 / 1e6
}

func report(_ name: String, _ times: [Double], bytes: Int) {
  let sorted = times.sorted()
  let median = sorted[sorted.count / 2]
  let rate = Double(bytes) / 1e3 / median
  print(
    String(
      format: "%@: first %.1f ms, least %.1f ms, median %.1f ms, %.0f MB/s", name, times[0],
      sorted[0], median, rate))
}

func measure(_ path: String, runs: Int) throws {
  let bytes = ContiguousArray(try Data(contentsOf: URL(fileURLWithPath: path)))
  let source = Source(path: path, bytes: bytes)
  let before = residentMegabytes()
  var kept: Document?
  var parseTimes: [Double] = []
  var printTimes: [Double] = []
  var growth = 0.0
  for run in 0..<runs {
    let workspace = Workspace()
    let start = cpuMilliseconds()
    let parsed = workspace.parse(source)
    let middle = cpuMilliseconds()
    if run == 0 { growth = residentMegabytes() - before }
    let text = parsed.document.text()
    printTimes.append(cpuMilliseconds() - middle)
    parseTimes.append(middle - start)
    precondition(parsed.diagnostics.isEmpty && !text.isEmpty, "The file has syntax errors.")
    kept = parsed.document
  }
  print("\(path): \(bytes.count) bytes, \(kept?.definitions.count ?? 0) definitions, \(runs) runs")
  report("  parse", parseTimes, bytes: bytes.count)
  report("  print", printTimes, bytes: bytes.count)
  print(
    String(
      format: "  memory of the tree: %.1f MB, %.1f times the text", growth,
      growth * 1e6 / Double(bytes.count)))
}

let arguments = CommandLine.arguments.dropFirst()
let runs = arguments.last.flatMap { Int($0) } ?? 30
for path in arguments where Int(path) == nil { try measure(path, runs: runs) }
