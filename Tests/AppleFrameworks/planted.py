"""Mistakes that compile on Linux and not on Apple's platforms: the check must find each."""

# A name, a source, and a part of the compiler's message; without one the source has no mistake.
MISTAKES = [
    ("validating",
     "func isValid(_ bytes: [UInt8]) -> Bool {\n"
     "  guard let string = String(validating: bytes, as: UTF8.self) else { return false }\n  return string.isEmpty\n}",
     "'init(validating:as:)' is only available in"),
    ("mutex",
     "import Synchronization\nfinal class Counter: Sendable { let value = Mutex(0) }",
     "'Mutex' is only available in"),
    ("mutex on Linux only",
     "#if os(Linux)\nimport Synchronization\nfinal class Counter: Sendable { let value = Mutex(0) }\n#endif",
     None),
    ("inline array",
     "func first(_ values: InlineArray<2, Int>) -> Int { values[0] }",
     "'InlineArray' is only available in"),
    ("typed sequence",
     "func numbers() -> some AsyncSequence<Int, Never> { AsyncStream<Int> { $0.finish() } }",
     "'Failure' is only available in"),
    ("typed loop",
     "struct Failure: Error {}\nfunc all(_ s: AsyncThrowingStream<Int, any Error>) async throws(Failure) {\n"
     "  for try await _ in s {}\n}",
     "cannot be converted to error type 'Failure'"),
    ("typed throws in a stored closure",
     "struct Failure: Error {}\nstruct Step { var run: [String: @Sendable () throws(Failure) -> Void] }\n"
     "func step() -> Step { Step(run: [:]) }",
     "runtime support for typed throws function types is only available in"),
    ("a constant of Glibc",
     "import Darwin\nfunc sync(_ file: Int32) -> Int32 { fdatasync(file) | RENAME_NOREPLACE }",
     "cannot find"),
    ("the width of mode_t",
     "import Darwin\nfunc kind(_ status: stat) -> Int32 { Int32(0o170000) & status.st_mode }",
     "cannot convert value of type 'mode_t'"),
    ("a switch over an enumeration of a framework",
     "import Foundation\nfunc f(_ message: URLSessionWebSocketTask.Message) -> Bool {\n"
     "  switch message { case .data: true; case .string: false }\n}",
     "may have additional unknown values"),
    ("a copy of a structure that changes",
     "import Foundation\nfinal class Files {}\n"
     "struct Project { var url: URL?; mutating func update(_ files: Files) {} }\n"
     "struct Job {\n  private let files = Files()\n  private var project: Project?\n"
     "  mutating func run() { project?.update(files) }\n}",
     "overlapping accesses to 'self.project'"),
    ("a wait in asynchronous code",
     "import Dispatch\nfunc f(_ semaphore: DispatchSemaphore) async { semaphore.wait() }",
     "is unavailable from asynchronous contexts"),
    ("the thread of asynchronous code",
     "import Foundation\nfunc f() async -> Bool { Thread.isMainThread }",
     "is unavailable from asynchronous contexts"),
    ("objects for one thread",
     "import Foundation\nstruct Objects: Sendable { let files: FileManager }",
     "'FileManager'"),
    ("a key of a queue for one thread",
     "import Dispatch\nfinal class Value {}\nlet key = DispatchSpecificKey<Value>()",
     "is not concurrency-safe"),
    ("bytes that are no data",
     "import Foundation\nfunc f(_ file: FileHandle) throws { try file.write(contentsOf: \"a\".utf8) }",
     "conform to 'DataProtocol'"),
    ("a predicate over a value that is not encoded",
     "import Foundation\nstruct Value: Sendable {}\nfinal class Model { var name = \"\" }\n"
     "func f(_ values: [Value]) -> Predicate<Model> { #Predicate { _ in values.isEmpty } }",
     "any StandardPredicateExpression<Bool>"),
    ("a log message that is no literal",
     "import os\nfunc f(_ logger: Logger, _ message: OSLogMessage) { logger.debug(message) }",
     "argument must be a string interpolation"),
    ("an import of a module that does not exist",
     "import Nowhere",
     "no such module 'Nowhere'"),
    ("a variable that is not used",
     "func f() { let value = 1 }",
     "was never used"),
    ("a race",
     "import Foundation\n@MainActor func use(_ stream: InputStream) {}\n"
     "func race() async { let stream = InputStream(data: Data()); await use(stream); stream.open() }",
     "risks causing data races"),
    ("a value before it is set",
     "func f(_ b: Bool) -> Int { let value: Int; if b { value = 1 }; return value }",
     "used before being initialized"),
]


def check(checker, platform, flags):
    """Compiles each mistake as a module and returns those that were not found."""
    folder = checker.sdk.folder / "planted"
    folder.mkdir(exist_ok=True)
    missed = []
    for number, (name, source, message) in enumerate(MISTAKES):
        path = folder / f"Planted{number}.swift"
        path.write_text(source + "\n")
        errors, warnings = checker.check(f"Planted{number}", [path], flags)
        found = errors + warnings
        if message is None and found:
            missed.append(f"{name}: expected no diagnostic, found {found[0]}")
        elif message is not None and not any(message in line for line in found):
            missed.append(f"{name}: expected \"{message}\", found {found or 'nothing'}")
    verdict = "each found" if not missed else f"{len(missed)} not found"
    print(f"{platform.title:12} {len(MISTAKES)} planted mistakes: {verdict}", flush=True)
    for line in missed:
        print(f"    {line}")
    return not missed
