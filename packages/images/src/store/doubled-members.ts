/**
 * The first member name that an object in this JSON text has twice, or undefined. Readers differ in which of the two
 * they take, or take both in part. The text must be valid JSON.
 */
export function doubledMember(text: string): string | undefined {
  /** The names seen in each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(undefined);
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names && isBeforeColon(text, end + 1)) {
        const name: string = JSON.parse(text.slice(at, end + 1));
        if (names.has(name)) return name;
        names.add(name);
      }
      at = end;
    }
  }
  return undefined;
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at++;
  return text[at] === ':';
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
