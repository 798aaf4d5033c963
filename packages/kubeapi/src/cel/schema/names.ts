/** Names of properties as expressions write them (upstream: pkg/cel/escaping.go). */

const reserved = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if'],
  ...['import', 'let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
]);
const words: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' },
  }),
);
const signs: ReadonlyMap<string, string> = new Map(
  Object.entries({ underscores: '__', dot: '.', dash: '-', slash: '/' }),
);

/** True for what an expression can name as it stands. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !reserved.has(name);
}

/** Undefined: no expression can name it. */
export function escapedName(name: string): string | undefined {
  if (!/^[-A-Za-z_./][-\w./]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[-./]/g, (part) => words.get(part)!);
}

/** The property that a name in an expression means. */
export function unescapedName(name: string): string {
  if (!name.includes('__')) return name;
  return name.replace(
    /__([^_]+)__/g,
    (whole, word: string) => signs.get(word) ?? (reserved.has(word) ? word : whole),
  );
}

/** The same by upstream's Unescape: undefined where a sequence means nothing, or a reserved word is not the whole name. */
export function strictlyUnescapedName(name: string): string | undefined {
  let isSound = true;
  const plain = name.replace(/__([^_]+)__/g, (whole, word: string) => {
    const sign = signs.get(word);
    if (sign !== undefined) return sign;
    if (!reserved.has(word) || whole.length !== name.length) isSound = false;
    return word;
  });
  return isSound ? plain : undefined;
}
