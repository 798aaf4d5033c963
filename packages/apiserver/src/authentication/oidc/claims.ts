import { shownJson } from '@wherry/bytes';
import { ownValue } from '@wherry/kubeapi';
import { type UserInfo, userInfo } from '../identity.ts';
import type { OidcSettings } from './oidc-options.ts';

/** Claims of a token whose signature is good. */
type Claims = Readonly<Record<string, unknown>>;

/** How much earlier than it says a token may be used. */
const notBeforeLeewaySeconds = 60;

/** Throws with what keeps a token from being good here and now. */
export function checkClaims(claims: Claims, { clientId }: OidcSettings, nowMs: number): void {
  const { aud, exp, nbf } = claims;
  const audiences = [aud].flat();
  if (!audiences.includes(clientId))
    throw new Error(`it is for ${JSON.stringify(aud)}, not for "${clientId}"`);
  const nowSeconds = nowMs / 1_000;
  if (typeof exp !== 'number' || exp < nowSeconds)
    throw new Error(`it has expired: exp is ${shownJson(exp)}`);
  if (nbf === undefined) return;
  if (typeof nbf !== 'number' || nbf > nowSeconds + notBeforeLeewaySeconds)
    throw new Error(`it is not good yet: nbf is ${shownJson(nbf)}`);
}

/** Who the claims name. Throws with what is missing or of another form. */
export function userOfClaims(claims: Claims, settings: OidcSettings): UserInfo {
  const { usernameClaim, usernamePrefix, requiredClaims } = settings;
  const name = textOf(claims, usernameClaim);
  if (usernameClaim === 'email' && (ownValue(claims, 'email_verified') ?? true) !== true)
    throw new Error('its email is not verified');
  for (const [claim, wanted] of Object.entries(requiredClaims)) {
    const value = textOf(claims, claim);
    if (value !== wanted) throw new Error(`its claim ${claim} is "${value}", not "${wanted}"`);
  }
  const { jti } = claims;
  const user = userInfo(usernamePrefix + name, groupsOf(claims, settings));
  if (typeof jti !== 'string' || jti === '') return user;
  return { ...user, extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${jti}`] } };
}

function groupsOf(claims: Claims, { groupsClaim, groupsPrefix }: OidcSettings): string[] {
  if (groupsClaim === undefined) return [];
  const value = ownValue(claims, groupsClaim) ?? [];
  const groups = [value].flat();
  if (!groups.every((group): group is string => typeof group === 'string'))
    throw new Error(`its claim ${groupsClaim} is neither a text nor a list of texts`);
  const { _claim_names: elsewhere } = claims as { _claim_names?: Record<string, unknown> };
  if (!Object.hasOwn(claims, groupsClaim) && ownValue(elsewhere ?? {}, groupsClaim) !== undefined)
    throw new Error(`its claim ${groupsClaim} is to be asked for elsewhere, which is not done here`);
  return groups.map((group) => groupsPrefix + group);
}

function textOf(claims: Claims, name: string): string {
  const value = ownValue(claims, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`its claim ${name} is ${value === undefined ? 'missing' : 'no text'}`);
}
