// Measures the store once, or `rounds` times, and prints a line for each sample:
//     store-benchmark write COUNT FILE          writes the response of COUNT items to a file
//     store-benchmark first COUNT               the first commit of a fresh process
//     store-benchmark memory COUNT              bytes for each row
//     store-benchmark times COUNT ROUNDS        everything else
//     store-benchmark only COUNT CASE [SAMPLE]  one case (commit, read, list, rows, gc, slices) once, for callgrind
import Foundation
import RelayStore

let arguments = CommandLine.arguments
guard arguments.count > 2, let count = Int(arguments[2]) else {
  print("usage: store-benchmark write|first|memory|times|only COUNT [FILE|ROUNDS|CASE [SAMPLE]]")
  exit(2)
}
let bytes = payload(count)
let suite = Suite(count: count, bytes: bytes)

switch arguments[1] {
case "write":
  guard arguments.count > 3 else { exit(2) }
  try Data(bytes).write(to: URL(fileURLWithPath: arguments[3]))
case "first": try suite.first()
case "memory": try suite.memory()
case "only":
  try suite.run(only: arguments.count > 3 ? arguments[3] : nil)
default:
  try suite.run()  // warms up
  try await suite.operations()
  Samples.isPrinting = true
  for _ in 0..<(arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1) {
    try suite.run()
    try await suite.operations()
  }
}
