extension String {
  /// Generated code with each multi-line string literal on one line.
  var onOneLine: String {
    replacing(#/(?s)(#*)"""\n(.*?)\n( *)"""\1/#) { match in
      let (hashes, indentation) = (String(match.1), match.3)
      let lines = match.2.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        let content = line.dropFirst(indentation.count)
        return content.hasSuffix("\\" + hashes) ? content.dropLast(1 + hashes.count) : content
      }
      return hashes + "\"" + lines.joined() + "\"" + hashes
    }
  }
}
