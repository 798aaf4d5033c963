/** What a registry asks for in `WWW-Authenticate` (RFC 9110 §11.6.1). */
export interface Challenge {
  scheme: 'basic' | 'bearer';
  /** Parameters in lower case: realm, service, scope. */
  parameters: Record<string, string>;
}

/** Names begin where none is under way: a header that is one long name would be tried from each of its letters. */
const parameterPattern = /(?<![a-zA-Z_])([a-zA-Z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g;

/** The challenge to answer: bearer before basic; undefined when there is none of these. */
export function parseChallenge(header: string | null): Challenge | undefined {
  const found = [
    ...(header ?? '').matchAll(/(?:^|,\s*)(basic|bearer)\s+([\s\S]*?)(?=,\s*(?:basic|bearer)\s|$)/gi),
  ];
  const challenges = found.map(([, scheme = '', rest = '']) => ({
    scheme: scheme.toLowerCase() as Challenge['scheme'],
    parameters: Object.fromEntries(
      [...rest.matchAll(parameterPattern)].map(([, key = '', quoted, plain]) => [
        key.toLowerCase(),
        (quoted ?? plain ?? '').replace(/\\(.)/g, '$1'),
      ]),
    ),
  }));
  return challenges.find(({ scheme }) => scheme === 'bearer') ?? challenges[0];
}
