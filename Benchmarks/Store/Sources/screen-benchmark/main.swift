// Measures a screen of a realistic application, and prints a line for each sample:
//     screen-benchmark times FOLDER COUNT ROUNDS   all cases, ROUNDS times
//     screen-benchmark only FOLDER COUNT ROUNDS CASE
//         one case ROUNDS times, for perf; a CASE is commit, read, mount, models, collect, cycle or
//         mutations
//     screen-benchmark first FOLDER COUNT          the first commit and mount of a fresh process
//     screen-benchmark memory FOLDER COUNT         bytes per item, and the screen's totals
// FOLDER has the payloads that screen.py writes.
import Foundation
import Measuring
import RelayStore

let arguments = CommandLine.arguments
guard arguments.count > 3, let count = Int(arguments[3]) else {
  print("usage: screen-benchmark times|only|first|memory FOLDER COUNT [ROUNDS [CASE]]")
  exit(2)
}
do {
  let suite = Suite(count: count, payloads: try Payloads(arguments[2], count: count))
  switch arguments[1] {
  case "first":
    Samples.isPrinting = true
    try suite.first()
  case "memory": try suite.memory()
  default:
    let name = arguments[1] == "only" && arguments.count > 5 ? arguments[5] : nil
    try await suite.run(only: name)  // warms up
    Samples.isPrinting = true
    for _ in 0..<(arguments.count > 4 ? Int(arguments[4]) ?? 1 : 1) {
      try await suite.run(only: name)
    }
  }
} catch {
  print("ERROR \(error)")
  exit(1)
}
