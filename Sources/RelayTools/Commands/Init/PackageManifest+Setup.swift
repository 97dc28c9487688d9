import RelayCompiler

/// The manifest's existing setup of a target for RelayStore.
extension PackageManifest {
  /// The call that declares the package.
  var package: ManifestCall? { calls.first { $0.name == "Package" } }

  /// The name that targets use for the package RelayStore; `nil` if the manifest does not depend on
  /// it.
  var relayStoreName: String? {
    for call in calls where call.isMember && call.name == "package" {
      if let name = Self.relayStoreName(in: call) { return name }
    }
    // The dependency may be written in a form that the parser does not read. In that case the uses
    // of its products give the name. The prebuilt plugin is in another package.
    let uses = calls.filter { call in
      let isOwn = call.argument("name")?.literal == RelayStorePackage.plugin
      return Self.isProduct(call) || (Self.isPlugin(call) && isOwn)
    }
    return uses.lazy.compactMap { $0.argument("package")?.literal }.first
  }

  /// The name of the package that a `.package(…)` call depends on, if it is RelayStore.
  private static func relayStoreName(in call: ManifestCall) -> String? {
    let name = call.argument("name")?.literal
    let location = (call.argument("url") ?? call.argument("path"))?.literal
    var last = location?.split { $0 == "/" || $0 == ":" }.last.map(String.init)
    if let text = last, text.hasSuffix(".git") { last = String(text.dropLast(4)) }
    // A package from a registry has the identity "scope.name".
    let identity = call.argument("id")?.literal
    let names = [name, last, identity?.split(separator: ".").last.map(String.init)]
    let isRelayStore = names.contains { $0?.lowercased() == RelayStorePackage.name.lowercased() }
    return isRelayStore ? name ?? last ?? identity : nil
  }

  /// Whether a target depends on the library RelayStore, or only on its core.
  ///
  /// - Parameter target: The target; `nil` for any.
  func hasProduct(_ target: Target?) -> Bool {
    has(of: target, list: "dependencies", element: Self.isProduct) {
      RelayStorePackage.products.contains($0)
    }
  }

  /// Whether a target has the build plugin, or the prebuilt one.
  ///
  /// - Parameter target: The target; `nil` for any.
  func hasPlugin(_ target: Target?) -> Bool {
    has(of: target, list: "plugins", element: Self.isPlugin) {
      $0.hasSuffix(RelayStorePackage.plugin)
    }
  }

  private func has(
    of target: Target?, list: String, element: (ManifestCall) -> Bool, name: (String) -> Bool
  ) -> Bool {
    calls.indices.contains { index in
      let call = calls[index]
      // A call outside all targets may define a constant that this target uses.
      let isOfTarget =
        target == nil || targetCalls[index] == nil || targetCalls[index] == target?.call
      if isOfTarget, element(call) { return true }
      guard target == nil || index == target?.call, Self.isTarget(call) else { return false }
      return call.argument(list)?.literals.contains(where: name) ?? false
    }
  }

  private static func isProduct(_ call: ManifestCall) -> Bool {
    call.isMember && (call.name == "product" || call.name == "byName")
      && call.argument("name")?.literal == RelayStorePackage.product
  }

  /// Whether a call uses the plugin. A call with a capability declares another plugin.
  private static func isPlugin(_ call: ManifestCall) -> Bool {
    call.isMember && call.name == "plugin" && call.argument("capability") == nil
      && call.argument("name")?.literal?.hasSuffix(RelayStorePackage.plugin) == true
  }

  // MARK: Platforms

  /// The platforms older than RelayStore requires: the code in the manifest, and its replacement.
  var oldPlatforms: [(old: String, new: String)] {
    calls.compactMap { call in
      guard call.isMember, call.label == "platforms", let parent = call.parent,
        calls[parent].name == "Package",
        let needed = RelayStorePackage.platforms.first(where: { $0.name == call.name }),
        let argument = call.arguments.first, let text = argument.text,
        let version = Self.majorVersion(argument.literal, text), version < needed.version
      else { return nil }
      return (".\(call.name)(\(text))", ".\(needed.name)(.v\(needed.version))")
    }
  }

  /// The major version number.
  ///
  /// - Parameters:
  ///   - literal: The contents of a literal such as `"12.0"`.
  ///   - text: The source of a member such as `.v12` or `.v10_15`.
  private static func majorVersion(_ literal: String?, _ text: String) -> Int? {
    if let literal { return literal.split(separator: ".").first.flatMap { Int($0) } }
    guard let member = text.split(separator: ".").last, member.hasPrefix("v") else { return nil }
    return member.dropFirst().split(separator: "_").first.flatMap { Int($0) }
  }
}
