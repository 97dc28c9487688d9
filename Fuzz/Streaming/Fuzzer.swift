// The entry point that libFuzzer calls with each input. Compiled by Fuzz/run.sh together with the
// sources that parse streamed responses.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStreaming(_ start: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: length))
  if let failure = StreamingCheck.failure(bytes) { fatalError(failure) }
  return 0
}
