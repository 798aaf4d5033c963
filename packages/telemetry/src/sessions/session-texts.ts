import { limits } from '../limits.ts';

/** A text of somebody else's, as much of it as is kept. Its length is that of JSON, where a character may take six. */
export function shortened(text: string, charactersMax: number = limits.sessionTextMax): string {
  if (text.length * 6 <= charactersMax) return text;
  let kept = text.slice(0, charactersMax);
  while (JSON.stringify(kept).length - 2 > charactersMax) kept = kept.slice(0, Math.floor(kept.length * 0.8));
  return kept;
}

/** The words of a command, as many as are kept. */
export function shortCommand(words: readonly string[]): { command: string[]; commandIsCut?: boolean } {
  const command: string[] = [];
  let left: number = limits.sessionCommandCharactersMax;
  for (const word of words.slice(0, limits.sessionCommandWordsMax)) {
    const kept = shortened(word, left);
    command.push(kept);
    left -= JSON.stringify(kept).length;
    if (kept !== word || left <= 0) break;
  }
  const isCut = command.length < words.length || command.some((word, index) => word !== words[index]);
  return isCut ? { command, commandIsCut: true } : { command };
}

/** A name that another server gave to a session in a header, if it may be one. */
export function namedSession(told: string | readonly string[] | undefined): string | undefined {
  return typeof told === 'string' && told.length <= limits.sessionIdCharactersMax && /^[\w.:-]+$/.test(told)
    ? told
    : undefined;
}

/** `HOST:PORT` of a side of a session, with brackets around IPv6; undefined where the host is not known (any more). */
export function hostAndPort(host: string | undefined, port: number | undefined): string | undefined {
  return host && `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
