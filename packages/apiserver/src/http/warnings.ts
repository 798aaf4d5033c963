import type { ServerResponse } from 'node:http';
import { limits } from '../limits.ts';

/**
 * Adds Warning headers (RFC 7234). Texts may come from outside, such as from webhooks: they are cut as upstream cuts them,
 * and hold no control characters.
 */
export function sendWarnings(response: ServerResponse, texts: readonly string[]): void {
  if (response.headersSent) return;
  let left: number = limits.warningsCharactersMax;
  for (const text of texts) {
    const cut = text.slice(0, Math.min(limits.warningCharactersMax, left));
    left -= cut.length;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be sent
    const plain = cut.replace(/[\x00-\x1f\x7f]/g, ' ');
    // Node takes a header for Latin-1; clients read UTF-8.
    if (plain !== '')
      response.appendHeader('warning', Buffer.from(`299 - ${JSON.stringify(plain)}`).toString('latin1'));
  }
}
