#if os(Linux) && canImport(Glibc)
  import RelayStore
  import Foundation

  /// The requests in flight and their connections, confined to one thread.
  package final class CurlMulti {
    /// The multi handle. Other threads may only pass it to ``LibCurl/wake(_:)``.
    package let handle: LibCurl.Handle
    package let curl: LibCurl
    private var transfers: [LibCurl.Handle: CurlTransfer] = [:]
    /// Whether a request has ended since the last wait.
    private var hasEnded = false
    private let idleConnections: CurlIdleConnections
    /// The connections that do not belong to HTTP requests; `nil` before the first one.
    package var sockets: (any CurlSocketTable)?

    /// - Parameters:
    ///   - connectionsPerHost: The maximum number of connections to one host; `nil` for no limit.
    ///   - ageLimit: The age limit of idle connections.
    init?(
      _ curl: LibCurl, connectionsPerHost: Int?, ageLimit: CurlIdleConnections.AgeLimit
    ) {
      idleConnections = CurlIdleConnections(ageLimit: ageLimit)
      guard let handle = curl.makeMulti() else { return nil }
      self.handle = handle
      self.curl = curl
      // Zero means no limit.
      curl.setMulti(LibCurl.Option.hostConnections, of: handle, to: connectionsPerHost ?? 0)
    }

    deinit { LibCurl.inside { curl.destroyMulti(handle) } }

    var isIdle: Bool { transfers.isEmpty && sockets?.isEmpty ?? true }

    func add(_ transfer: CurlTransfer) {
      transfers[transfer.handle] = transfer
      transfer.idleConnections = idleConnections
      guard !isCancelled(transfer) else { return }
      start(transfer)
    }

    private func start(_ transfer: CurlTransfer) {
      if curl.add(transfer.handle, to: handle) != 0 {
        end(transfer, .failure(curl.error(LibCurl.Code.outOfMemory)))
      }
    }

    /// Sends and receives as much as possible, then waits for data, the next deadline or a wake-up.
    ///
    /// - Returns: Whether libcurl is still usable.
    func step() -> Bool {
      for transfer in transfers.values { transfer.resumeIfPossible() }
      // A finished transfer hands its connection to a waiting one. Within the same call libcurl can
      // forget that the waiting transfer is ready, so call it again.
      repeat {
        guard LibCurl.inside({ curl.perform(handle) }) == 0 else { return false }
      } while endFinished()
      let wait = endExpired()
      let socketWait = sockets?.advance() ?? wait
      // The client may be released before its last request ends, with its wake-up already consumed.
      defer { hasEnded = false }
      let milliseconds =
        hasEnded ? 0 : Int32((min(wait, socketWait) / .milliseconds(1)).rounded(.up))
      if let sockets { return sockets.poll(milliseconds: milliseconds) == 0 }
      var none: [LibCurl.WaitingSocket] = []
      return curl.poll(handle, &none, milliseconds: milliseconds) == 0
    }

    /// Ends every request with an error.
    func endAll() {
      sockets?.endAll()
      for transfer in transfers.values {
        end(transfer, .failure(curl.error(LibCurl.Code.outOfMemory)))
      }
    }

    /// Ends the requests whose transfers have finished. Returns whether there were any.
    private func endFinished() -> Bool {
      var count = 0
      while let (easy, code) = curl.nextEnd(of: handle) {
        count += 1
        if let transfer = transfers[easy], code == LibCurl.Code.abortedByCallback,
          transfer.endRefusal()
        {
          // libcurl has closed that connection; the retry uses a different one.
          LibCurl.inside { curl.remove(easy, from: handle) }
          start(transfer)
        } else if let transfer = transfers[easy] {
          transfer.keepConnection()
          end(transfer, Result { try transfer.result(code) })
        } else {
          sockets?.endTransfer(easy, code)
        }
      }
      return count > 0
    }

    /// Ends requests that are cancelled, past their deadline or over their byte limit.
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
      transfer.easy.abandonNameLookup()
      end(transfer, .failure(error))
    }

    private func end(_ transfer: CurlTransfer, _ result: Result<HTTPResponse, any Error>) {
      transfers[transfer.handle] = nil
      hasEnded = true
      transfer.endUpload()
      transfer.reportProgress()
      transfer.complete(result)
      LibCurl.inside { curl.remove(transfer.handle, from: handle) }
    }
  }
#endif
