/** A longer timer of the machine would fire at once: it counts milliseconds in 31 bits, 24.8 days. */
export const longestTimeoutMs = 2 ** 31 - 1;
