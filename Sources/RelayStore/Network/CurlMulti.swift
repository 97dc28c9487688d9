#if os(Linux) && canImport(Glibc)
  import Foundation

  /// The requests in flight and their connections, confined to one thread.
  final class CurlMulti {
    /// The multi handle; only ``LibCurl/wake(_:)`` may be called with it on another thread.
    let handle: LibCurl.Handle
    private let curl: LibCurl
    private var transfers: [LibCurl.Handle: CurlTransfer] = [:]
    /// The WebSocket connections.
    let sockets: CurlSockets

    init?(_ curl: LibCurl) {
      guard let handle = curl.makeMulti() else { return nil }
      self.handle = handle
      self.curl = curl
      sockets = CurlSockets(curl, handle)
      // The limit of `URLSession`.
      curl.setMulti(LibCurl.Option.hostConnections, of: handle, to: 6)
    }

    deinit { LibCurl.inside { curl.destroyMulti(handle) } }

    var isIdle: Bool { transfers.isEmpty && sockets.isEmpty }

    func add(_ transfer: CurlTransfer) {
      transfers[transfer.handle] = transfer
      guard !isCancelled(transfer) else { return }
      if curl.add(transfer.handle, to: handle) != 0 {
        end(transfer, .failure(curl.error(LibCurl.Code.outOfMemory)))
      }
    }

    /// Sends and receives what is possible, then waits for data, the next deadline or a wake-up.
    ///
    /// - Returns: Whether libcurl is still usable.
    func step() -> Bool {
      for transfer in transfers.values { transfer.resumeIfPossible() }
      guard LibCurl.inside({ curl.perform(handle) }) == 0 else { return false }
      endFinished()
      let wait = min(endExpired(), sockets.advance())
      return sockets.poll(milliseconds: Int32((wait / .milliseconds(1)).rounded(.up))) == 0
    }

    /// Ends every request with an error.
    func endAll() {
      sockets.endAll()
      for transfer in transfers.values {
        end(transfer, .failure(curl.error(LibCurl.Code.outOfMemory)))
      }
    }

    private func endFinished() {
      while let (easy, code) = curl.nextEnd(of: handle) {
        if let transfer = transfers[easy] {
          end(transfer, Result { try transfer.result(code) })
        } else {
          sockets.endTransfer(easy, code)
        }
      }
    }

    /// Ends the requests that are cancelled, past their deadline or over their byte limit.
    ///
    /// - Returns: The time until the next deadline.
    private func endExpired() -> Duration {
      let now = ContinuousClock.now
      var wait = Duration.seconds(1_000)
      for transfer in transfers.values where !isCancelled(transfer) {
        transfer.renewDeadline(now)
        transfer.reportProgress()
        if transfer.hasEnded {
          end(transfer, Result { try transfer.result(0) })
        } else if transfer.deadline <= now {
          abandon(transfer, curl.error(LibCurl.Code.timedOut))
        } else {
          wait = min(wait, now.duration(to: transfer.deadline))
        }
      }
      return wait
    }

    private func isCancelled(_ transfer: CurlTransfer) -> Bool {
      let isCancelled = transfer.isCancelled.load(ordering: .relaxed)
      if isCancelled { abandon(transfer, CancellationError()) }
      return isCancelled
    }

    private func abandon(_ transfer: CurlTransfer, _ error: any Error) {
      // Otherwise removing a handle blocks all others until its name lookup has ended.
      _ = curl.set(LibCurl.Option.exitsQuickly, of: transfer.handle, to: 1)
      end(transfer, .failure(error))
    }

    private func end(_ transfer: CurlTransfer, _ result: Result<HTTPResponse, any Error>) {
      transfers[transfer.handle] = nil
      transfer.endUpload()
      transfer.reportProgress()
      transfer.continuation?.resume(with: result)
      transfer.continuation = nil
      LibCurl.inside { curl.remove(transfer.handle, from: handle) }
    }
  }
#endif
