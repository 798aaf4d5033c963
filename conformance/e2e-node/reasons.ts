/** Specs that cannot pass here for a reason that is not ours, by a part of their name. */
const reasons: Readonly<Record<string, string>> = {};

/** Why the spec may fail; undefined when it may not. */
export function reasonOf(name: string): string | undefined {
  return Object.entries(reasons).find(([part]) => name.includes(part))?.[1];
}
