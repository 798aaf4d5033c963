/** Values of flags: texts, numbers and switches, or a list where a flag is repeated. */
export type Flags = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Flags as a process has them: each as often as it has values. */
export const readFlags = (flags: Flags | undefined): Record<string, string[]> | undefined =>
  flags &&
  Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, [value].flat().map(String)]));
