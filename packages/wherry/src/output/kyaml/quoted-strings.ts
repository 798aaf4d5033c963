/** A string in quotes on one line, as keys are. */
export const quotedString = (text: string): string =>
  `"${[...text.toWellFormed()].map((character) => (character === '\t' ? '\\t' : escaped(character))).join('')}"`;

/** A string in quotes; one of several lines has them below each other, `depth` steps from the left. */
export function foldedString(text: string, depth: number): string {
  const lines = text.toWellFormed().split('\n');
  const written = lines.map((line) => [...line].map(escaped).join(''));
  if (written.length === 1) return `"${written[0]}"`;
  const indent = '  '.repeat(depth);
  const last = written.pop() ?? '';
  // Space in front of a line would be lost: it begins with a backslash. Others keep in line with it.
  const begun = (line: string) => `${indent}${/^[ \t]/.test(line) ? '\\' : ' '}${line}`;
  const all = [...written.map((line) => `${begun(line)}\\n`), ...(last === '' ? [] : [begun(last)])];
  return `"\\\n${all.map((line) => `${line}\\\n`).join('')}${indent}"`;
}

/** What has a name of its own behind a backslash. */
const names = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\t', '\t'],
  ['\n', '\\n'],
  ['\0', '\\0'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\u001b', '\\e'],
  ['\u0085', '\\N'],
  ['\u00a0', '\\_'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

/** What shows something; of spaces the usual one alone. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

function escaped(character: string): string {
  const named = names.get(character);
  if (named !== undefined) return named;
  if (printable.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const [letter, digits] = code < 0x20 || code === 0x7f ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8];
  return `\\${letter}${code.toString(16).padStart(digits, '0')}`;
}
