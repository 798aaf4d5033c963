/** Texts without what is at their ends, in time by their length: a pattern such as `x+$` takes the square of it for a text of others. */

/** Without the characters at its end that are this one. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** Without the characters at either end that are among these. */
export function trimmedOf(text: string, characters: ReadonlySet<string>): string {
  let [start, end] = [0, text.length];
  while (end > start && characters.has(text[end - 1]!)) end -= 1;
  while (start < end && characters.has(text[start]!)) start += 1;
  return text.slice(start, end);
}
