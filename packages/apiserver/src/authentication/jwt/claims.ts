import { type JsonObject, ownValue } from '@wherry/kubeapi';

/** How much earlier than it says a token may be used. */
const notBeforeLeewaySeconds = 60;

/** Until when a token is good. Throws with what keeps it from being so here and now; nothing of what it says is shown. */
export function checkClaims(claims: JsonObject, wanted: readonly string[], nowMs: number): number {
  const { aud, exp, nbf } = claims;
  const audiences = [aud].flat();
  if (!audiences.every((each) => typeof each === 'string')) throw new Error('its audience is no text');
  if (!audiences.some((each) => wanted.includes(each)))
    throw new Error(`it is for none of ${JSON.stringify(wanted)}`);
  const nowSeconds = nowMs / 1_000;
  if (typeof exp !== 'number' || exp < nowSeconds) throw new Error('it has expired');
  const isEarly = typeof nbf !== 'number' || nbf > nowSeconds + notBeforeLeewaySeconds;
  if (nbf !== undefined && isEarly) throw new Error('it is not good yet');
  return exp * 1_000;
}

/** A claim as Go reads it into a text: null is ''. Throws where it is missing or something else. */
export function textClaim(claims: JsonObject, name: string): string {
  const value = ownValue(claims, name);
  if (typeof value === 'string') return value;
  if (value === null) return '';
  throw new Error(`its claim ${name} is ${value === undefined ? 'missing' : 'no text'}`);
}

/** A claim of one text or several. */
export function textsClaim(claims: JsonObject, name: string): string[] {
  const value = ownValue(claims, name) ?? [];
  return [value].flat().map((item) => {
    if (typeof item === 'string') return item;
    if (item === null) return '';
    throw new Error(`its claim ${name} is neither a text nor a list of texts`);
  });
}
