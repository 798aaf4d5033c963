/** Upstream's flags that are not there, by how they begin, with what is so instead. */
export type AbsentFlags = readonly (readonly [begin: string, reason: string])[];

/** Makes what commander says of a flag that it does not know tell the reason, where upstream knows it. */
export const withReasonOf = (absent: AbsentFlags) => (text: string) => {
  const name = /^error: unknown option '(--[a-z0-9_-]+)/.exec(text)?.[1];
  const found = name && absent.find(([begin]) => name.startsWith(begin));
  return found ? `error: ${name} is not taken: ${found[1]}\n` : text;
};
