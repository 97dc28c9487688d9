/// The reason that a field has no value.
public struct FieldError: Error, Sendable {
  /// The origin of a field error. New kinds may be added, so a `switch` needs a default.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    package init(_ description: String) { self.description = description }

    /// The server reported the error.
    public static let server = Kind("server")
    /// The value of a custom scalar did not convert to its Swift type.
    public static let scalar = Kind("scalar")
    /// The store has a value of another type than the field's, such as a number for a string or a
    /// scalar for a link. Only an updater, a dump or a definition compiled against another schema
    /// can have written it.
    public static let type = Kind("type")
    /// A derived field has no function, its function threw or returned a value of another type, or
    /// its fragment throws.
    public static let derived = Kind("derived")
    /// The field is null or missing and has `@required(action: LOG)` or `THROW`.
    public static let required = Kind("required")
    /// The field is not in the store, or null where the schema forbids it.
    ///
    /// This kind occurs only in the errors that `@catch` returns and `@throwOnFieldError` throws.
    /// Elsewhere, such fields are listed in ``Snapshot/missing``.
    public static let missing = Kind("missing")
    /// The data exceeds the store's `readLimits`.
    public static let limit = Kind("limit")
  }

  private struct Contents: Sendable {
    var kind: Kind
    var message: String
    var path: ResponsePath
    var owner: String
    var underlying: (any Error)?
  }

  /// The contents, boxed in one reference: readers and snapshots reserve space for an error, and
  /// are copied far more often than an error occurs.
  @Boxed private var contents: Contents

  /// The origin of the error.
  public var kind: Kind {
    get { contents.kind }
    set { contents.kind = newValue }
  }
  /// The server's message, or a description of the failure.
  public var message: String {
    get { contents.message }
    set { contents.message = newValue }
  }
  /// The path of the field, relative to the data that was read.
  public var path: ResponsePath {
    get { contents.path }
    set { contents.path = newValue }
  }
  /// The name of the fragment or operation that selects the field; empty for data without a
  /// definition.
  public var owner: String {
    get { contents.owner }
    set { contents.owner = newValue }
  }
  /// The error thrown by a custom scalar's initializer, a derived field's function or its fragment.
  ///
  /// Its description is part of ``message``. Equality ignores this property.
  public var underlying: (any Error)? {
    get { contents.underlying }
    set { contents.underlying = newValue }
  }

  /// Creates an error of the field at a path, relative to the data that was read.
  public init(
    kind: Kind, message: String, path: ResponsePath, owner: String = "",
    underlying: (any Error)? = nil
  ) {
    contents = Contents(
      kind: kind, message: message, path: path, owner: owner, underlying: underlying)
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
  /// Creates the error for a field that is not in the store, or null where the schema forbids it.
  package init(missing path: ResponsePath, owner: String = "") {
    self.init(
      kind: .missing,
      message: "The field is not in the store, or is null where the schema forbids it.",
      path: path, owner: owner)
  }
}

/// The errors of a field with `@catch` that has no value, or of a snapshot without a usable result.
///
/// A failure delivered by the store has at least one error. An instance created by a caller may be
/// empty.
///
///     switch user.name {
///     case .success(let name): print(name ?? "nobody")
///     case .failure(let errors): print(errors.first?.message ?? "")
///     }
public struct FieldErrors: Error, Hashable, Sendable {
  private let errors: [FieldError]

  /// Creates a failure with these errors, in order.
  public init(_ errors: [FieldError]) { self.errors = errors }

  /// Combines errors with the missing fields that no error explains.
  ///
  /// An error at the path of a missing field, or below it, explains why the value is missing.
  ///
  /// - Complexity: O(*n*) in the errors and the missing fields.
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
