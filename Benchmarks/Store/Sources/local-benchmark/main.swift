// Measures local queries over 10,000 records, and prints a line for each sample:
//     local-benchmark ROUNDS [read|plain|stream|model|sections]
import Foundation
import Measuring

guard CommandLine.arguments.count > 1, let rounds = Int(CommandLine.arguments[1]) else {
  print("usage: local-benchmark ROUNDS [read|plain|stream|model|sections]")
  exit(2)
}
let only = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : nil
for round in -1..<rounds {
  Samples.isPrinting = round >= 0
  if only == nil || only == "read" { try LocalSuite().read() }
  if only == nil || only == "plain" { try LocalSuite().plain() }
  if only == nil || only == "stream" { try await LocalSuite().stream() }
  if only == nil || only == "model" { try LocalSuite().model() }
  if only == nil || only == "sections" { try LocalSuite().sections() }
}
