#pragma once
#include <stdlib.h>

/// The bytes that malloc has given out and not got back; 0 where that cannot be asked.
size_t allocated_bytes(void);
