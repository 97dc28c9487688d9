// The entry point that libFuzzer calls with each input. Compiled by Fuzz/run.sh together with the
// sources of GraphQLLanguage.

/// The workspace of the current inputs. It is replaced every 500 inputs, because creating one for
/// each input would take most of the time.
nonisolated(unsafe) private var workspace = Workspace()
nonisolated(unsafe) private var count = 0

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSyntax(_ start: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
  count += 1
  if count % 500 == 0 { workspace = Workspace() }
  let bytes = ContiguousArray(UnsafeBufferPointer(start: start, count: length))
  if let failure = SyntaxCheck.failure(bytes, in: workspace) { fatalError(failure) }
  return 0
}
