// Prototypes of the libcurl functions that the transport and the schema download call.
//
// libcurl is found at run time, so building needs neither its headers nor its development package.
// Swift cannot call the variadic functions `curl_easy_setopt`, `curl_easy_getinfo` and
// `curl_multi_setopt`. Each inline function below passes one argument of the type that `curl.h`
// documents for the option's range (0: long, 10 000: pointer, 20 000: function, 30 000:
// curl_off_t). `CURLcode`, `CURLoption` and `CURLINFO` are enumerations; C passes them as `int`.

#ifndef RELAY_CLIBCURL_H
#define RELAY_CLIBCURL_H

/// A handle of either kind; `curl.h` declares both `CURL` and `CURLM` as `void`.
typedef void relay_curl_handle;
/// A list of header lines, `struct curl_slist`.
typedef struct relay_curl_list relay_curl_list;
/// `size_t`.
typedef __SIZE_TYPE__ relay_curl_size;
/// `curl_off_t`, 64 bits on every platform.
typedef __INT64_TYPE__ relay_curl_offset;

/// A callback for received bytes: the bytes, 1, their count, and the pointer set with the callback.
/// Any result other than the count fails the transfer.
typedef relay_curl_size (*relay_curl_receive)(
  char *bytes, relay_curl_size size, relay_curl_size count, void *context);

/// A callback that supplies bytes to send: a buffer, 1, its size, and the pointer set with the
/// callback. Returns the number of bytes written to the buffer, 0 at the end, or one of the two
/// constants below.
typedef relay_curl_receive relay_curl_supply;
/// `CURL_READFUNC_ABORT`: fails the transfer.
static const relay_curl_size relay_curl_abort = 0x10000000;
/// `CURL_READFUNC_PAUSE`: no bytes are available yet.
static const relay_curl_size relay_curl_pause = 0x10000001;

/// A callback that rewinds the bytes to send: the pointer set with the callback, an offset, and 0
/// when the offset is relative to the start. Returns 0, or 1 to fail the transfer.
typedef int (*relay_curl_seek)(void *context, relay_curl_offset offset, int origin);

/// A callback before a request is sent on a connection: the pointer set with the callback, and the
/// addresses and ports of the remote and local ends. Returns 0, or 1 to end the transfer; libcurl
/// then also closes a connection that carries one request at a time.
typedef int (*relay_curl_before_request)(
  void *context, char *remote, char *local, int remote_port, int local_port);

/// `CURLMSG_DONE`: the transfer of the message's handle has ended.
static const int relay_curl_done = 1;

/// `CURLMsg`.
typedef struct {
  int kind;
  relay_curl_handle *easy;
  union {
    void *unused;
    int result;
  } data;
} relay_curl_message;

/// `struct curl_waitfd`: a socket to poll, the requested events and the events that occurred; both
/// combine `CURL_WAIT_POLLIN` (1) and `CURL_WAIT_POLLOUT` (4).
typedef struct {
  int descriptor;
  short events;
  short occurred;
} relay_curl_socket;

/// The functions of a loaded libcurl.
typedef struct {
  int (*global_init)(long flags);
  const char *(*version)(void);
  relay_curl_handle *(*easy_init)(void);
  void (*easy_cleanup)(relay_curl_handle *easy);
  int (*easy_perform)(relay_curl_handle *easy);
  int (*easy_setopt)(relay_curl_handle *easy, int option, ...);
  int (*easy_getinfo)(relay_curl_handle *easy, int info, ...);
  int (*easy_pause)(relay_curl_handle *easy, int directions);
  int (*easy_send)(
    relay_curl_handle *easy, const void *bytes, relay_curl_size size, relay_curl_size *count);
  int (*easy_recv)(
    relay_curl_handle *easy, void *bytes, relay_curl_size size, relay_curl_size *count);
  const char *(*easy_strerror)(int code);
  relay_curl_list *(*slist_append)(relay_curl_list *list, const char *line);
  void (*slist_free_all)(relay_curl_list *list);
  relay_curl_handle *(*multi_init)(void);
  int (*multi_cleanup)(relay_curl_handle *multi);
  int (*multi_setopt)(relay_curl_handle *multi, int option, ...);
  int (*multi_add_handle)(relay_curl_handle *multi, relay_curl_handle *easy);
  int (*multi_remove_handle)(relay_curl_handle *multi, relay_curl_handle *easy);
  int (*multi_perform)(relay_curl_handle *multi, int *running);
  int (*multi_poll)(
    relay_curl_handle *multi, void *extra, unsigned extra_count, int milliseconds, int *ready);
  int (*multi_wakeup)(relay_curl_handle *multi);
  relay_curl_message *(*multi_info_read)(relay_curl_handle *multi, int *rest);
} relay_curl;

/// The functions available in the system's libcurl: none when it is not installed, only easy
/// handles, or all (version 7.68 and later).
typedef enum { relay_curl_none, relay_curl_easy, relay_curl_all } relay_curl_parts;

/// Loads the system's libcurl and fills in its functions.
relay_curl_parts relay_curl_load(relay_curl *curl);

static inline int relay_curl_set_long(
  const relay_curl *curl, relay_curl_handle *easy, int option, long value) {
  return curl->easy_setopt(easy, option, value);
}

static inline int relay_curl_set_offset(
  const relay_curl *curl, relay_curl_handle *easy, int option, relay_curl_offset value) {
  return curl->easy_setopt(easy, option, value);
}

static inline int relay_curl_set_pointer(
  const relay_curl *curl, relay_curl_handle *easy, int option, const void *value) {
  return curl->easy_setopt(easy, option, value);
}

static inline int relay_curl_set_receive(
  const relay_curl *curl, relay_curl_handle *easy, int option, relay_curl_receive value) {
  return curl->easy_setopt(easy, option, value);
}

static inline int relay_curl_set_seek(
  const relay_curl *curl, relay_curl_handle *easy, int option, relay_curl_seek value) {
  return curl->easy_setopt(easy, option, value);
}

static inline int relay_curl_set_before_request(
  const relay_curl *curl, relay_curl_handle *easy, int option, relay_curl_before_request value) {
  return curl->easy_setopt(easy, option, value);
}

static inline int relay_curl_multi_set_long(
  const relay_curl *curl, relay_curl_handle *multi, int option, long value) {
  return curl->multi_setopt(multi, option, value);
}

static inline int relay_curl_get_long(
  const relay_curl *curl, relay_curl_handle *easy, int info, long *value) {
  return curl->easy_getinfo(easy, info, value);
}

/// The target of a redirect that was not followed, `CURLINFO_REDIRECT_URL`; null when there was
/// none. It lives as long as the handle.
static inline int relay_curl_get_redirect(
  const relay_curl *curl, relay_curl_handle *easy, const char **value) {
  return curl->easy_getinfo(easy, 0x10001F, value);
}

/// The socket of a connection that libcurl keeps open after its transfer, `CURLINFO_ACTIVESOCKET`;
/// -1 when the connection is closed.
static inline int relay_curl_get_socket(
  const relay_curl *curl, relay_curl_handle *easy, int *value) {
  return curl->easy_getinfo(easy, 0x50002C, value);
}

static inline int relay_curl_get_offset(
  const relay_curl *curl, relay_curl_handle *easy, int info, relay_curl_offset *value) {
  return curl->easy_getinfo(easy, info, value);
}

#endif
