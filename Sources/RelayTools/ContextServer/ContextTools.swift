extension ContextTool {
  /// All tools.
  static let all = [searchSchema, validate, explain, usages, applyFix]
}
