/** What is made at its first use, and is the same at each later one; of a promise also how it was rejected. What throws is tried again. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
