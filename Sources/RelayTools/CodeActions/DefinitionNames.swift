import GraphQLLanguage
import RelayCompiler

/// The names for new definitions of a file.
struct DefinitionNames {
  /// The file's name, with which its definitions' names start.
  let prefix: String
  let isTaken: (String) -> Bool

  init(file path: String, isTaken: @escaping (String) -> Bool) {
    let file = path.split(separator: "/").last.map(String.init) ?? ""
    prefix = FileNamePrefix.moduleName(ofFile: file)
    self.isTaken = isTaken
  }

  /// Returns a name that no definition has: the first part and the suffix, with a number between
  /// them if that is taken.
  func free(_ first: String, suffix: String = "") -> String {
    var name = first + suffix
    var number = 2
    while isTaken(name) {
      name = "\(first)\(number)\(suffix)"
      number += 1
    }
    return name
  }
}
