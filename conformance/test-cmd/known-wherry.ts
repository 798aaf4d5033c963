import type { KnownDifference } from './outcome.ts';

/** Where the scripts expect what wherry does otherwise on purpose (docs/LIMITS.md), or kubectl's name in what it says. */
export const knownOfWherry: readonly KnownDifference[] = [];
