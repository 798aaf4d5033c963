/** A part of a text, and the line of the text at which it begins, from 0. */
export interface TextPart {
  text: string;
  firstLine: number;
}

/** A text of JSON objects one behind the other, as `jq` and `kubectl get -o json` in a loop print them, in its objects; any other as a whole. */
export function objectsApart(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let [start, firstLine] = [0, 0];
  while (/^\s*\{/.test(text.slice(start))) {
    const end = endOfObject(text, start);
    const part = text.slice(start, end);
    parts.push({ text: part, firstLine });
    firstLine += part.split('\n').length - 1;
    start = end;
  }
  const isStream = parts.length > 1 && text.slice(start).trim() === '' && parts.every(isJson);
  return isStream ? parts : [{ text, firstLine: 0 }];
}

/** Else it is YAML, where a brace may stand in a string of other quotes. */
function isJson({ text }: TextPart): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Behind the brace that ends the object which begins next; the end of the text where none does. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  // Strings as wholes, so that braces in them do not count.
  const marks = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/gs;
  marks.lastIndex = start;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '{') depth += 1;
    else if (mark[0] === '}') depth -= 1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}
