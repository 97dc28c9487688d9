/// A byte range in a source text.
