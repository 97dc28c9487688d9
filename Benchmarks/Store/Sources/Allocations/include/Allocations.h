#pragma once
#include <stdlib.h>

/// The bytes currently allocated by malloc; 0 on platforms without glibc.
size_t allocated_bytes(void);
