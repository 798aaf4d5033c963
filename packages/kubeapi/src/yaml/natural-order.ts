/** The order that Go's YAML library gives keys: numbers in them by their size, letters behind everything else. */
export function byNaturalOrder(left: string, right: string): number {
  const [one, other] = [[...left], [...right]];
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at++) {
    if (one[at] === other[at]) continue;
    return isBefore(one, other, at) ? -1 : 1;
  }
  return one.length - other.length;
}

const isLetter = (character: string | undefined) => /^\p{L}$/u.test(character ?? '');
const isDigit = (character: string | undefined) => /^\p{Nd}$/u.test(character ?? '');
const codeOf = (character: string | undefined) => character?.codePointAt(0) ?? 0;

/** What stands at the first place where two keys differ. */
function isBefore(one: readonly string[], other: readonly string[], at: number): boolean {
  const [isOneLetter, isOtherLetter] = [isLetter(one[at]), isLetter(other[at])];
  if (isOneLetter && isOtherLetter) return codeOf(one[at]) < codeOf(other[at]);
  if (isOneLetter || isOtherLetter) return isOtherLetter;
  const begins = one[at] === '0' || other[at] === '0' ? startOf(one, at) : 0n;
  const [oneNumber, oneEnd] = numberFrom(one, at, begins);
  const [otherNumber, otherEnd] = numberFrom(other, at, begins);
  if (oneNumber !== otherNumber) return oneNumber < otherNumber;
  if (oneEnd !== otherEnd) return oneEnd < otherEnd;
  return codeOf(one[at]) < codeOf(other[at]);
}

/** One where digits that are no zeros stand before, so that zeros count. */
function startOf(characters: readonly string[], at: number): bigint {
  for (let before = at - 1; before >= 0 && isDigit(characters[before]); before--) {
    if (characters[before] !== '0') return 1n;
  }
  return 0n;
}

function numberFrom(characters: readonly string[], at: number, begins: bigint): [value: bigint, end: number] {
  let value = begins;
  let end = at;
  for (; end < characters.length && isDigit(characters[end]); end++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(codeOf(characters[end]) - 48));
  }
  return [value, end];
}
