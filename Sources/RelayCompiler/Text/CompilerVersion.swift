/// The versions of the compiler and of the code it generates.
package enum CompilerVersion {
  /// The version of the package, also used by the prebuilt compiler and the servers.
  package static let release = "0.1.0"
  /// The format of generated code: the name of a member of the runtime's `GeneratedCodeFormat`.
  package static let format = "v1"
}
