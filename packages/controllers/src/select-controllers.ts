/**
 * The controllers that are meant by the words of upstream's `--controllers`: `*` = all, `name` = that one, `-name` = not
 * that one. Throws `RangeError` on a name that is not known.
 */
export function selectControllers<T extends { name: string }>(
  words: readonly string[],
  known: readonly T[],
): T[] {
  for (const word of words) {
    const name = word.replace(/^-/, '');
    if (word === '*' || known.some((each) => each.name === name)) continue;
    const names = known.map((each) => each.name).join(', ');
    throw new RangeError(`"${name}" is not in the list of known controllers: ${names}`);
  }
  return known.filter(
    ({ name }) => words.includes(name) || (words.includes('*') && !words.includes(`-${name}`)),
  );
}
