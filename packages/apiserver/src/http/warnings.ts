import type { ServerResponse } from 'node:http';
import { limits } from '../limits.ts';

/**
 * Adds Warning headers (RFC 7234). Texts may come from outside, such as from webhooks: where all of them are too long
 * together each is cut, as upstream cuts them, and they hold no control characters.
 */
export function sendWarnings(response: ServerResponse, texts: readonly string[]): void {
  if (response.headersSent) return;
  const { warningCharactersMax, warningsCharactersMax } = limits;
  const all = texts.reduce((sum, { length }) => sum + length, 0);
  const each = all > warningsCharactersMax ? warningCharactersMax : warningsCharactersMax;
  let left: number = warningsCharactersMax;
  for (const text of texts) {
    const cut = text.slice(0, Math.min(each, left));
    left -= cut.length;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be sent
    const plain = cut.replace(/[\x00-\x1f\x7f]/g, ' ');
    // Node takes a header for Latin-1; clients read UTF-8.
    if (plain !== '')
      response.appendHeader('warning', Buffer.from(`299 - ${JSON.stringify(plain)}`).toString('latin1'));
  }
}
