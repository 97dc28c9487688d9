// Measures live data, and prints a line for each sample:
//     live-benchmark parts COUNT ROUNDS [CASE]      fetches of COUNT objects of ten fields: in one
//                                                   response, with deferred fields, and streamed
//     live-benchmark events URL SUBSCRIPTIONS SECONDS
//                                                   subscriptions over one WebSocket
import Foundation
import Measuring

let arguments = CommandLine.arguments
switch arguments.count > 3 ? arguments[1] : "" {
case "parts":
  guard let count = Int(arguments[2]), let rounds = Int(arguments[3]) else { exit(2) }
  try await Parts(count: count).run(
    rounds: rounds, only: arguments.count > 4 ? arguments[4] : nil)
case "events":
  guard arguments.count > 4, let url = URL(string: arguments[2]),
    let subscriptions = Int(arguments[3]), let seconds = Double(arguments[4])
  else { exit(2) }
  try await Events(url: url, subscriptions: subscriptions, duration: .seconds(seconds)).run()
default:
  print("usage: live-benchmark parts COUNT ROUNDS [CASE] | events URL SUBSCRIPTIONS SECONDS")
  exit(2)
}
