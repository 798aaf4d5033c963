/** Asks of value after value whether it was there before, in a time that does not grow with how many there were. */
export function repeats<T>(): (value: T) => boolean {
  const seen = new Set<T>();
  return (value) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated;
  };
}
