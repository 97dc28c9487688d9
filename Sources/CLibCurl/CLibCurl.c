#include "CLibCurl.h"

// POSIX; declared here to avoid system headers.
extern void *dlopen(const char *name, int flags);
extern void *dlsym(void *library, const char *name);

// ISO C cannot convert an object pointer to a function pointer. POSIX guarantees that both have the
// same bytes.
#define FIND(library, function, name) \
  (*(void **)&(function) = dlsym((library), (name)), (function) != 0)

/// Opens the system's libcurl, built with OpenSSL or GnuTLS; null when it is not installed.
static void *open_library(void) {
  const char *names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"};
  const int now = 2; // `RTLD_NOW`
  for (int index = 0; index < 3; index++) {
    void *library = dlopen(names[index], now);
    if (library) return library;
  }
  return 0;
}

static _Bool find_easy(relay_curl *curl, void *library) {
  return FIND(library, curl->global_init, "curl_global_init")
    && FIND(library, curl->version, "curl_version")
    && FIND(library, curl->easy_init, "curl_easy_init")
    && FIND(library, curl->easy_cleanup, "curl_easy_cleanup")
    && FIND(library, curl->easy_perform, "curl_easy_perform")
    && FIND(library, curl->easy_setopt, "curl_easy_setopt")
    && FIND(library, curl->easy_getinfo, "curl_easy_getinfo")
    && FIND(library, curl->easy_pause, "curl_easy_pause")
    && FIND(library, curl->easy_strerror, "curl_easy_strerror")
    && FIND(library, curl->slist_append, "curl_slist_append")
    && FIND(library, curl->slist_free_all, "curl_slist_free_all");
}

static _Bool find_multi(relay_curl *curl, void *library) {
  return FIND(library, curl->easy_send, "curl_easy_send")
    && FIND(library, curl->easy_recv, "curl_easy_recv")
    && FIND(library, curl->multi_init, "curl_multi_init")
    && FIND(library, curl->multi_cleanup, "curl_multi_cleanup")
    && FIND(library, curl->multi_setopt, "curl_multi_setopt")
    && FIND(library, curl->multi_add_handle, "curl_multi_add_handle")
    && FIND(library, curl->multi_remove_handle, "curl_multi_remove_handle")
    && FIND(library, curl->multi_perform, "curl_multi_perform")
    && FIND(library, curl->multi_poll, "curl_multi_poll")
    && FIND(library, curl->multi_wakeup, "curl_multi_wakeup")
    && FIND(library, curl->multi_info_read, "curl_multi_info_read");
}

relay_curl_parts relay_curl_load(relay_curl *curl) {
  void *library = open_library();
  if (!library || !find_easy(curl, library)) return relay_curl_none;
  return find_multi(curl, library) ? relay_curl_all : relay_curl_easy;
}
