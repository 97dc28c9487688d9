/// Why a field has no value.
public struct FieldError: Error, Sendable {
  /// Where the error comes from; more may come, so a `switch` needs a default.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    package init(_ description: String) { self.description = description }

    /// The server reported it.
    public static let server = Kind("server")
    /// The value of a custom scalar did not convert to its Swift type.
    public static let scalar = Kind("scalar")
    /// The store has a value of another type than the field's: a number for a text, a scalar for a link. Only an
    /// updater, a dump or a definition of another schema can have written it.
    public static let type = Kind("type")
    /// A derived field has no function, or one that threw or gave a value of another type.
    public static let derived = Kind("derived")
    /// The field is null or missing and has `@required(action: LOG)` or `THROW`.
    public static let required = Kind("required")
    /// The field is not in the store, or null where the schema forbids it; only in the errors that
    /// `@catch` gives and `@throwOnFieldError` throws. Elsewhere ``Snapshot/missing`` has it.
    public static let missing = Kind("missing")
    /// The data is larger than the store's `readLimits` allow.
    public static let limit = Kind("limit")
  }

  private struct Contents: Sendable {
    var kind: Kind
    var message: String
    var path: ResponsePath
    var owner: String
    var underlying: (any Error)?
  }

  /// The contents behind one reference: readers and snapshots have room for errors, and are copied far more often than
  /// there is one.
  private indirect enum Box: Sendable {
    case contents(Contents)
  }

  private var box: Box
  private var contents: Contents {
    get {
      switch box {
      case .contents(let contents): contents
      }
    }
    set { box = .contents(newValue) }
  }

  public var kind: Kind {
    get { contents.kind }
    set { contents.kind = newValue }
  }
  public var message: String {
    get { contents.message }
    set { contents.message = newValue }
  }
  /// The field, from the data it was read with.
  public var path: ResponsePath {
    get { contents.path }
    set { contents.path = newValue }
  }
  /// The fragment or operation that selects the field; empty where data has no definition.
  public var owner: String {
    get { contents.owner }
    set { contents.owner = newValue }
  }
  /// The error that a custom scalar's initializer or a derived field's function threw; its text is in
  /// ``message``. It takes no part in equality.
  public var underlying: (any Error)? {
    get { contents.underlying }
    set { contents.underlying = newValue }
  }

  public init(
    kind: Kind, message: String, path: ResponsePath, owner: String = "",
    underlying: (any Error)? = nil
  ) {
    box = .contents(
      Contents(kind: kind, message: message, path: path, owner: owner, underlying: underlying))
  }
}

extension FieldError: Hashable {
  public static func == (left: FieldError, right: FieldError) -> Bool {
    left.kind == right.kind && left.message == right.message && left.path == right.path
      && left.owner == right.owner
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(message)
    hasher.combine(path)
    hasher.combine(owner)
  }
}

extension FieldError {
  /// A field that is not in the store, or null where it may not be.
  package init(missing path: ResponsePath, owner: String = "") {
    self.init(
      kind: .missing, message: "The field is not in the store, or null where it may not be.",
      path: path, owner: owner)
  }
}

/// Why a field with `@catch` has no value: at least one error.
///
///     switch user.name {
///     case .success(let name): print(name ?? "nobody")
///     case .failure(let errors): print(errors.first?.message ?? "")
///     }
public struct FieldErrors: Error, Hashable, Sendable {
  private let errors: [FieldError]

  public init(_ errors: [FieldError]) { self.errors = errors }

  /// The errors with the holes that none of them explains: an error at the path of a hole, or below it,
  /// is why the value is missing.
  ///
  /// - Complexity: O(*n*) in the errors and holes.
  package init(_ errors: [FieldError], missing: [FieldError]) {
    let depth = missing.lazy.map(\.path.components.count).max() ?? 0
    var explained: Set<ResponsePath> = []
    if !missing.isEmpty {
      for error in errors {
        for count in 0...Swift.min(depth, error.path.components.count) {
          explained.insert(ResponsePath(Array(error.path.components.prefix(count))))
        }
      }
    }
    self.errors = errors + missing.filter { !explained.contains($0.path) }
  }
}

extension FieldErrors: RandomAccessCollection, ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: FieldError...) { errors = elements }

  public var startIndex: Int { errors.startIndex }
  public var endIndex: Int { errors.endIndex }
  public subscript(position: Int) -> FieldError { errors[position] }
}

extension FieldErrors: CustomStringConvertible {
  public var description: String {
    errors.map { "\($0.path): \($0.message)" }.joined(separator: "\n")
  }
}
