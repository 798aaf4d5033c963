/** What Go leaves as it stands in a path (net/url, validEncoded). */
const plainPath = /^(?:[\w\-.~!$&'()*+,;=:@[\]/]|%[\dA-Fa-f]{2})*$/;
/** What Go does not escape where it writes a path anew (net/url, shouldEscape). */
const keptInPath = /[\w\-.~$&+,/:;=@]/;
const keptInQuery = /[!-~]/;
/** Of a path that looks like a whole URL, system and host do not count. */
const systemAndHost = /^(?:[A-Za-z][\w+.-]*:)?\/\/(?!\/)[^/?]*/;
const brokenEscape = /%(?![\dA-Fa-f]{2})/;

/**
 * What the first line of a request asks for, by the path of a handler: as Go's client sends it, so that dots and escapes reach
 * the server as they were written.
 */
export function requestTarget(given: string): string {
  const [whole = ''] = given.split('#', 1);
  const rest = whole.replace(systemAndHost, '');
  const queryAt = rest.indexOf('?');
  const path = queryAt < 0 ? rest : rest.slice(0, queryAt);
  if (brokenEscape.test(path) || hasControls(whole)) return rooted(escaped(Buffer.from(given), keptInPath));
  const query = queryAt < 0 ? '' : escaped(Buffer.from(rest.slice(queryAt)), keptInQuery);
  return rooted(plainPath.test(path) ? path : escaped(unescaped(path), keptInPath)) + query;
}

const rooted = (path: string) => (path.startsWith('/') ? path : `/${path}`);
const hasControls = (text: string) => [...text].some((character) => character < ' ' || character === '\x7f');

function unescaped(path: string): Buffer {
  const parts = path.split(/(%[\dA-Fa-f]{2})/);
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 1 ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part))),
  );
}

function escaped(bytes: Buffer, kept: RegExp): string {
  const letters = [...bytes].map((byte) => {
    const character = String.fromCharCode(byte);
    if (byte < 0x80 && kept.test(character)) return character;
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
  return letters.join('');
}
