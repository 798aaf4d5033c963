import { isDeepStrictEqual } from 'node:util';

/** Whether two parts of objects say the same; how they were read does not matter. */
export const isSameValue = (left: unknown, right: unknown): boolean =>
  isDeepStrictEqual(plain(left), plain(right));

const plain = (value: unknown): unknown => (value === undefined ? value : structuredClone(value));
