/** What others say, before a terminal prints it: it must not obey. */

/** Escapes as kubectl shows them; other control characters, which kubectl prints, by their number. Tabs and line breaks stay. */
export const harmless = (text: string): string =>
  text
    .replaceAll('\u001b', '^[')
    .replaceAll('\r', '\\r')
    .replace(
      /(?![\t\n\v])\p{Cc}/gu,
      (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
