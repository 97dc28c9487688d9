#if os(Linux) && canImport(Glibc) && (arch(x86_64) || arch(arm64))
  import Foundation

  /// The requests that are on their way, and the connections; for one thread.
  final class CurlMulti {
    /// What wakes ``step()`` from any thread.
    let handle: LibCurl.Handle
    private let curl: LibCurl
    private var transfers: [LibCurl.Handle: CurlTransfer] = [:]

    init?(_ curl: LibCurl) {
      guard let handle = curl.makeMulti() else { return nil }
      self.handle = handle
      self.curl = curl
      // As many as `URLSession` has.
      _ = curl.setMultiInteger(handle, LibCurl.Option.hostConnections, 6)
    }

    deinit { LibCurl.inside { _ = curl.destroyMulti(handle) } }

    var isIdle: Bool { transfers.isEmpty }

    func add(_ transfer: CurlTransfer) {
      transfers[transfer.handle] = transfer
      guard !isCancelled(transfer) else { return }
      if curl.add(handle, transfer.handle) != 0 {
        end(transfer, .failure(curl.error(LibCurl.Code.outOfMemory)))
      }
    }

    /// Sends and receives what can be, then waits for more, a deadline or a wake-up.
    ///
    /// - Returns: Whether libcurl can go on.
    func step() -> Bool {
      var count: Int32 = 0
      guard LibCurl.inside({ curl.perform(handle, &count) }) == 0 else { return false }
      endFinished()
      return curl.poll(handle, nil, 0, endLate(), nil) == 0
    }

    /// Ends every request with an error.
    func endAll() {
      for transfer in transfers.values {
        end(transfer, .failure(curl.error(LibCurl.Code.outOfMemory)))
      }
    }

    private func endFinished() {
      var rest: Int32 = 0
      while let message = curl.message(handle, &rest) {
        // `CURLMsg`: what it is (1: done), the handle, the code.
        guard message.load(as: Int32.self) == 1,
          let easy = message.load(fromByteOffset: 8, as: LibCurl.Handle?.self),
          let transfer = transfers[easy]
        else { continue }
        let code = message.load(fromByteOffset: 16, as: Int32.self)
        end(transfer, Result { try transfer.result(code) })
      }
    }

    /// Ends the requests that were cancelled, have waited too long or were answered with too much.
    ///
    /// - Returns: For how many milliseconds none of the others will have.
    private func endLate() -> Int32 {
      let now = ContinuousClock.now
      var wait = Duration.seconds(1_000)
      for transfer in transfers.values where !isCancelled(transfer) {
        transfer.renewDeadline(now)
        if transfer.hasEnded {
          end(transfer, Result { try transfer.result(0) })
        } else if transfer.deadline <= now {
          abandon(transfer, curl.error(LibCurl.Code.timedOut))
        } else {
          wait = min(wait, now.duration(to: transfer.deadline))
        }
      }
      return Int32((wait / .milliseconds(1)).rounded(.up))
    }

    private func isCancelled(_ transfer: CurlTransfer) -> Bool {
      let isCancelled = transfer.isCancelled.load(ordering: .relaxed)
      if isCancelled { abandon(transfer, CancellationError()) }
      return isCancelled
    }

    private func abandon(_ transfer: CurlTransfer, _ error: any Error) {
      // Otherwise one that is still looking for its host holds up the others until it has found it.
      _ = curl.setInteger(transfer.handle, LibCurl.Option.leavesThreads, 1)
      end(transfer, .failure(error))
    }

    private func end(_ transfer: CurlTransfer, _ result: Result<HTTPAnswer, any Error>) {
      transfers[transfer.handle] = nil
      transfer.continuation?.resume(with: result)
      transfer.continuation = nil
      LibCurl.inside { _ = curl.remove(handle, transfer.handle) }
    }
  }
#endif
