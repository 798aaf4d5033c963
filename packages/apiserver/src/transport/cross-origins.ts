import type { IncomingMessage, ServerResponse } from 'node:http';
import { compilePattern, loadPatternEngine, type Pattern } from '@wherry/kubeapi';
import { SettingsError } from '../settings-error.ts';

const flag = '--cors-allowed-origins';

/** What browsers are told beside the origin (upstream: WithCORS of apiserver's filters). */
const told = {
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
};

/** Origins whose pages may ask the server from browsers, with the credentials that those have. */
export class CrossOrigins {
  readonly #patterns: readonly Pattern[];

  private constructor(patterns: readonly Pattern[]) {
    this.#patterns = patterns;
  }

  /**
   * Of regular expressions, which are found anywhere in an origin and have to say where its host begins and ends. Rejects with a
   * {@link SettingsError} on others.
   */
  static async open(expressions: readonly string[]): Promise<CrossOrigins> {
    await loadPatternEngine();
    return new CrossOrigins(expressions.map(patternOf));
  }

  /** Tells the browser, where its page may ask. True where that was all that it wanted to know: then the answer is given. */
  answers({ method, headers: { origin } }: IncomingMessage, response: ServerResponse): boolean {
    if (!origin || !this.#patterns.some((pattern) => pattern.matches(origin))) return false;
    response.setHeader('access-control-allow-origin', origin);
    for (const [name, value] of Object.entries(told)) response.setHeader(name, value);
    if (method !== 'OPTIONS') return false;
    response.writeHead(204).end();
    return true;
  }
}

function patternOf(expression: string): Pattern {
  let pattern: Pattern;
  try {
    pattern = compilePattern(expression);
  } catch (error) {
    const why = (error as Error).message;
    throw new SettingsError(`${flag} has an invalid regular expression: ${why}`, { cause: error });
  }
  // Else `example.com` would be found in the origin `https://example.com.evil.org` (CVE-2022-1996).
  if (/\^|\/\//.test(expression) && /[$:]/.test(expression)) return pattern;
  throw new SettingsError(
    `${flag} has an invalid regular expression: "${expression}" does not pin to start/end of host in the origin header; ` +
      'let it begin with ^ or // and end with $ or (:|$)',
  );
}
