import { canonicalQuantity } from '@wherry/kubeapi/objects';

/** A list as Go prints it: `[a b]`. */
export const list = (values: readonly string[] | null | undefined): string => `[${(values ?? []).join(' ')}]`;

/** A map as Go prints it: `map[a:1 b:2]`. */
export const map = (values: Readonly<Record<string, string>> | undefined): string =>
  `map[${sortedEntries(values)
    .map(([key, value]) => `${key}:${value}`)
    .join(' ')}]`;

/** Entries in the order of their keys. */
export const sortedEntries = <T>(values: Readonly<Record<string, T>> | undefined): [string, T][] =>
  Object.entries(values ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));

/** Things in the order of what names them. */
export const sortedBy = <T>(things: readonly T[] | undefined, key: (thing: T) => string): T[] =>
  [...(things ?? [])].sort((one, other) => compareTexts(key(one), key(other)));

/** Below 0, 0 or above it, by code units. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** A quantity in its shortest form; 0 where there is none. */
export const amount = (text: string | undefined): string => canonicalQuantity(text ?? '0');

/** `cpu:\t1`: each amount of a list of resources. */
export const amounts = (resources: Readonly<Record<string, string>> | undefined): string[] =>
  sortedEntries(resources).map(([name, text]) => `${name}:\t${amount(text)}`);
