import { isJsonObject } from '@wherry/kubeapi';

/** A line for each place where the two are not the same: `body[0].code: 404 | 405`. */
export function differencesBetween(ours: unknown, theirs: unknown, place = ''): string[] {
  if (Object.is(ours, theirs)) return [];
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const length = Math.max(ours.length, theirs.length);
    const all = Array.from({ length }, (_, at) =>
      differencesBetween(ours[at], theirs[at], `${place}[${at}]`),
    );
    return all.flat();
  }
  if (isJsonObject(ours) && isJsonObject(theirs)) {
    const [mine, other] = [new Map(Object.entries(ours)), new Map(Object.entries(theirs))];
    const names = [...new Set([...mine.keys(), ...other.keys()])];
    return names.flatMap((name) =>
      differencesBetween(mine.get(name), other.get(name), place === '' ? name : `${place}.${name}`),
    );
  }
  return [`${place}: ${JSON.stringify(ours)} | ${JSON.stringify(theirs)}`];
}
