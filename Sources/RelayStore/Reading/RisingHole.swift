/// A value that may not be null and is, on its way up to the nearest that may be.
struct RisingHole {
  let path: ResponsePath
  /// Whether it is the link to a record that was deleted on the client: a list reads on without the element.
  var isDeletion = false
}
