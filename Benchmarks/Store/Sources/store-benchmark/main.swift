// Measures the store, and prints a line for each sample:
//     store-benchmark write COUNT FILE          writes the response of COUNT items to a file
//     store-benchmark first COUNT               the first commit of a fresh process
//     store-benchmark memory COUNT              bytes per row
//     store-benchmark times COUNT ROUNDS        all other cases, ROUNDS times
//     store-benchmark pages SIZE ROUNDS         pages 2, 10, 100 and 1,000 of a list, each of SIZE
//                                               items, and edits
//     store-benchmark only COUNT CASE [SAMPLE]  one case once, for callgrind; a CASE is commit,
//                                               read, list, rows, gc, slices or arguments
//     store-benchmark only COUNT calls          COUNT calls of fetch and commit, for perf
// With --timeline at the end, the stores record a timeline.
import Foundation
import Measuring
import RelayStore

let recordsTimeline = CommandLine.arguments.contains("--timeline")
let arguments = CommandLine.arguments.filter { $0 != "--timeline" }
guard arguments.count > 2, let count = Int(arguments[2]) else {
  print(
    "usage: store-benchmark write|first|memory|times|pages|only COUNT [FILE|ROUNDS|CASE [SAMPLE]]")
  exit(2)
}
let bytes = payload(count)
let suite = Suite(count: count, bytes: bytes, timeline: recordsTimeline ? .init() : nil)

switch arguments[1] {
case "write":
  guard arguments.count > 3 else { exit(2) }
  try Data(bytes).write(to: URL(fileURLWithPath: arguments[3]))
case "first": try suite.first()
case "memory": try suite.memory()
case "pages":
  Samples.isPrinting = true
  for _ in 0..<(arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1) {
    try suite.pages("page", size: count, upTo: 1_000)
    try suite.pages("page_unobserved", size: count, upTo: 1_000, observed: false)
    for pages in [2, 100, 1_000] { try suite.edits(of: count, pages: pages) }
  }
case "only":
  let name = arguments.count > 3 ? arguments[3] : nil
  try suite.run(only: name)
  if name == "calls" { try await suite.calls(count) }
default:
  try suite.run()  // warms up
  try await suite.operations()
  Samples.isPrinting = true
  for _ in 0..<(arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1) {
    try suite.run()
    try await suite.operations()
  }
}
