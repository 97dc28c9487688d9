// Measures the storage of a store, and prints a line for each sample:
//     storage-benchmark fill DIRECTORY              stores a list of 100,000 items
//     storage-benchmark load DIRECTORY              loads it, once
//     storage-benchmark write DIRECTORY ROUNDS      stores such a list behind the app
//     storage-benchmark scattered DIRECTORY ROUNDS  changes 1,000 of its records in each round
//     storage-benchmark publish DIRECTORY ROUNDS    publishes with and without a storage
//     storage-benchmark outbox DIRECTORY ROUNDS     adds an entry to an outbox
import Foundation
import Measuring

let arguments = CommandLine.arguments
guard arguments.count > 2 else {
  print("usage: storage-benchmark fill|load|write|scattered|publish|outbox DIRECTORY [ROUNDS]")
  exit(2)
}
let rounds = arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1
let directory = URL(fileURLWithPath: arguments[2])
let suite = StorageSuite(directory: directory)
Samples.isPrinting = true
switch arguments[1] {
case "fill": try await suite.fill()
case "load": try await suite.load()
case "write": try await suite.write(rounds)
case "scattered": try await suite.change(rounds)
case "publish": try await suite.publish(rounds)
default: try await OutboxSuite(directory: directory).add(rounds)
}
