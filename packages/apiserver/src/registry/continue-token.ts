import { badRequest, describeSyntaxError } from '@wherry/kubeapi';

/** Where the next page of a list begins. */
export interface ContinuePoint {
  /** Undefined: now, whatever the list has shown so far. */
  revision: number | undefined;
  /** Key, without the list's prefix, of the last object that was sent. */
  after: string;
}

const version = 'meta.k8s.io/v1';
/** Stands for a revision that is not kept any more, as upstream's. */
const latest = -1;

/** The token that clients send back unread. */
export function encodeContinue({ revision, after }: ContinuePoint): string {
  // Upstream's tokens name the next possible key: the last one and a NUL.
  const token = { v: version, rv: revision ?? latest, start: `${after}\0` };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** Throws 400 on anything that {@link encodeContinue} did not make. */
export function decodeContinue(text: string): ContinuePoint {
  const { v, rv, start } = parseToken(text);
  if (v !== version)
    throw refusal(`server does not recognize this encoded version ${typeof v === 'string' ? v : ''}`);
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || (rv < 1 && rv !== latest))
    throw refusal(`incorrect encoded start resourceVersion (version ${version})`);
  if (typeof start !== 'string' || start === '')
    throw refusal(`encoded start key empty (version ${version})`);
  const isClean = start.split('/').every((part) => !['', '.', '..', '\0', '.\0', '..\0'].includes(part));
  if (!start.endsWith('\0') || !isClean) throw refusal(start);
  return { revision: rv === latest ? undefined : rv, after: start.slice(0, -1) };
}

function parseToken(text: string): Record<string, unknown> {
  const bad = text.search(/[^\w-]/);
  const broken = bad === -1 && text.length % 4 === 1 ? text.length - 1 : bad;
  if (broken !== -1) throw refusal(`illegal base64 data at input byte ${broken}`);
  const decoded = Buffer.from(text, 'base64url');
  try {
    const value: unknown = JSON.parse(decoded.toString());
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Go names the byte that it did not expect, not the character.
    throw refusal(describeSyntaxError(decoded.toString('latin1')));
  }
  throw refusal('the token is no object');
}

function refusal(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
