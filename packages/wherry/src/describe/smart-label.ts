const acronyms = new Set(['API', 'URL', 'UID', 'GUID']);

/** A field's name in words, as kubectl parts them: `apiVersion` is `API Version`. Names of other characters stay as they are. */
export function smartLabel(field: string): string {
  if (!/^[\p{L}-]*$/u.test(field)) return field;
  return joinedCapitals(camelParts(field)).map(wordOf).join(' ');
}

/** Runs of small letters, of capitals and of others; the last of several capitals begins what follows in small letters. */
function camelParts(text: string): string[] {
  const runs = text.match(/\p{Ll}+|\p{Lu}+|[^\p{Ll}\p{Lu}]+/gu) ?? [];
  for (let at = 0; at < runs.length - 1; at++) {
    const [run = '', next = ''] = runs.slice(at, at + 2);
    if (!/^\p{Lu}/u.test(run) || !/^\p{Ll}/u.test(next)) continue;
    const letters = [...run];
    runs[at + 1] = `${letters.pop()}${next}`;
    runs[at] = letters.join('');
  }
  return runs.filter((run) => run !== '');
}

/** Two capitals or more stay together with a word that begins with one. */
function joinedCapitals(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const [part = '', next = ''] = parts.slice(at, at + 2);
    const isJoined = Buffer.byteLength(part) >= 2 && part === part.toUpperCase() && /^[A-Z]/.test(next);
    joined.push(isJoined ? part + next : part);
    if (isJoined) at++;
  }
  return joined;
}

function wordOf(part: string): string {
  if (acronyms.has(part.toUpperCase())) return part.toUpperCase();
  return part === part.toLowerCase() ? part.charAt(0).toUpperCase() + part.slice(1) : part;
}
