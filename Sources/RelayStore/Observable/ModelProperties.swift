/// A set of model properties that views track separately.
package struct ModelProperties: OptionSet {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let data = ModelProperties(rawValue: 1 << 0)
  /// The data together with its missing fields, errors and flags.
  static let snapshot = ModelProperties(rawValue: 1 << 1)
  /// The entire state of a query or a list.
  static let state = ModelProperties(rawValue: 1 << 2)
  static let error = ModelProperties(rawValue: 1 << 3)
  package static let isLoading = ModelProperties(rawValue: 1 << 4)
  static let reference = ModelProperties(rawValue: 1 << 5)
  static let query = ModelProperties(rawValue: 1 << 6)
  static let isPreviousData = ModelProperties(rawValue: 1 << 7)
  static let hasNext = ModelProperties(rawValue: 1 << 8)
  static let hasPrevious = ModelProperties(rawValue: 1 << 9)
  static let isLoadingNext = ModelProperties(rawValue: 1 << 10)
  static let isLoadingPrevious = ModelProperties(rawValue: 1 << 11)
  static let isRefetching = ModelProperties(rawValue: 1 << 12)
  static let isInFlight = ModelProperties(rawValue: 1 << 13)
  static let subscription = ModelProperties(rawValue: 1 << 14)
  static let connection = ModelProperties(rawValue: 1 << 15)
  static let isConnected = ModelProperties(rawValue: 1 << 16)
  static let gapCount = ModelProperties(rawValue: 1 << 17)
  static let hasGap = ModelProperties(rawValue: 1 << 18)
  static let isActive = ModelProperties(rawValue: 1 << 19)

  /// Adds a property if its values differ.
  package mutating func insert<Value: Equatable>(
    _ property: ModelProperties, ifDifferent old: Value, _ new: Value
  ) {
    if old != new { insert(property) }
  }
}

// MARK: Comparing

extension LoadState {
  /// Returns the properties of a ``QueryModel`` that have changed since another state.
  func changes(since old: LoadState) -> ModelProperties {
    var changes: ModelProperties = []
    changes.insert(.data, ifDifferent: old.row?.data, row?.data)
    changes.insert(.isLoading, ifDifferent: old.isLoading, isLoading)
    changes.insert(.error, ifDifferent: old.error?.contents, error?.contents)
    let isSame =
      changes.isEmpty && (row == nil) == (old.row == nil)
      && (row.map { !$0.changes(since: old.row) } ?? true)
      && responseErrors == old.responseErrors && responseExtensions == old.responseExtensions
    if !isSame { changes.insert(.state) }
    return changes
  }
}

extension PageState: ModelState {
  /// Returns the properties of a ``PaginationModel`` that have changed since another state.
  func changes(since old: PageState) -> ModelProperties {
    var changes: ModelProperties = []
    changes.insert(.reference, ifDifferent: old.target, target)
    changes.insert(.data, ifDifferent: old.row.data, row.data)
    changes.insert(.hasNext, ifDifferent: old.hasNext, hasNext)
    changes.insert(.hasPrevious, ifDifferent: old.hasPrevious, hasPrevious)
    changes.insert(.isLoadingNext, ifDifferent: old.isLoadingNext, isLoadingNext)
    changes.insert(.isLoadingPrevious, ifDifferent: old.isLoadingPrevious, isLoadingPrevious)
    changes.insert(.isRefetching, ifDifferent: old.isRefetching, isRefetching)
    changes.insert(.error, ifDifferent: old.error?.contents, error?.contents)
    if !changes.isEmpty || row.changes(since: old.row) { changes.insert(.state) }
    return changes
  }
}

extension RowSnapshot {
  /// The data; comparing it compares identities first.
  var data: Row? { row.map { Row($0) } }

  /// Returns whether a view of the snapshot must be redrawn. Ignores the revision.
  fileprivate func changes(since old: RowSnapshot?) -> Bool {
    guard let old else { return true }
    return isOptimistic != old.isOptimistic || isStale != old.isStale || isDifferent(from: old)
  }
}

extension RelayError {
  /// The part of an error that a view can show: everything but the underlying error.
  struct Contents: Equatable {
    let code: Code
    let message: String
    let operationName: String?
    let path: ResponsePath
    let errors: [GraphQLError]
    let status: Int?
    let excerpt: String?
    let isRetryable: Bool
    let isTimeout: Bool
    let retryAfter: Duration?
  }

  var contents: Contents {
    Contents(
      code: code, message: message, operationName: operationName, path: path, errors: errors,
      status: status, excerpt: excerpt, isRetryable: isRetryable, isTimeout: isTimeout,
      retryAfter: retryAfter)
  }
}
