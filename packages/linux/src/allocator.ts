import { declare } from './native.ts';

const mallocTrim = declare('int malloc_trim(size_t pad)');

/** Gives free pages of the C library's allocator back to the kernel. Does nothing where the C library has no such call. */
export function trimAllocator(): void {
  try {
    mallocTrim(0);
  } catch {
    // musl: its allocator gives pages back by itself.
  }
}
