// Measures the storage of a store, and prints a line for each sample:
//     storage-benchmark DIRECTORY ROUNDS [write|load|scattered|publish]
import Foundation
import Measuring
import RelayStore
import RelayStoreSQLite

guard CommandLine.arguments.count > 2, let rounds = Int(CommandLine.arguments[2]) else {
  print("usage: storage-benchmark DIRECTORY ROUNDS [write|load|scattered|publish]")
  exit(2)
}
let suite = StorageSuite(directory: URL(fileURLWithPath: CommandLine.arguments[1]))
let only = CommandLine.arguments.count > 3 ? CommandLine.arguments[3] : nil
try await suite.warmUp()
Samples.isPrinting = true
for _ in 0..<rounds {
  if only == nil || only == "write" { try await suite.writeBehind() }
  if only == nil || only == "load" { try await suite.load() }
  if only == nil || only == "scattered" { try await suite.scattered() }
  if only == nil || only == "publish" { try await suite.publish() }
}
