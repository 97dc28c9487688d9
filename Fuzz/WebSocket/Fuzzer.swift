// The entry point that libFuzzer calls with each input. Compiled by Fuzz/run.sh together with the
// sources of the WebSocket codec.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebSocket(_ start: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: length))
  if let failure = WebSocketCheck.failure(bytes) { fatalError(failure) }
  return 0
}
