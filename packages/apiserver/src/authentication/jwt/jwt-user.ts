import { type JsonObject, setOwn } from '@wherry/kubeapi';
import type { ClaimMappings, JwtAuthenticator } from '../configuration/authentication-configuration.ts';
import type { CompiledJwt, CompiledRule } from '../configuration/compiled-jwt.ts';
import type { UserInfo } from '../identity.ts';
import { textClaim, textsClaim } from './claims.ts';

/**
 * Who the claims of a token name. Rejects with what is missing, of another form, or does not hold, and shows nothing of what
 * the token says. `pause` is waited for between expressions, of which each may take some tenths of a second.
 */
export async function userOfClaims(
  claims: JsonObject,
  jwt: CompiledJwt,
  pause: () => Promise<void>,
): Promise<UserInfo> {
  const { claimMappings: mappings, claimValidationRules } = jwt.authenticator;
  const name = nameOf(claims, jwt);
  if (name === '') throw new Error('it names nobody');
  await pause();
  const groups = groupsOf(claims, jwt);
  await pause();
  const uid = uidOf(claims, jwt, mappings);
  const extra = await extraOf(claims, jwt, pause);
  requireClaims(claims, claimValidationRules);
  await requireRules(jwt.claimRules, { pause, holds: (rule) => rule.holds(claims) });
  const user = { name, uid, groups, extra };
  await requireRules(jwt.userRules, { pause, holds: (rule) => rule.holds(user) });
  return user;
}

function nameOf(claims: JsonObject, { authenticator, username }: CompiledJwt): string {
  if (username) return username.text(claims);
  const { claim, prefix = '' } = authenticator.claimMappings.username;
  const name = textClaim(claims, claim);
  if (claim === 'email' && Object.hasOwn(claims, 'email_verified') && claims['email_verified'] !== true)
    throw new Error('its email is not verified');
  return prefix + name;
}

function groupsOf(claims: JsonObject, { authenticator, groups }: CompiledJwt): string[] {
  const { claim, prefix = '' } = authenticator.claimMappings.groups;
  if (claim === '') return groups?.texts(claims) ?? [];
  return textsClaim(claims, claim).map((group) => prefix + group);
}

function uidOf(claims: JsonObject, { uid }: CompiledJwt, { uid: { claim } }: ClaimMappings): string {
  return claim === '' ? (uid?.text(claims) ?? '') : textClaim(claims, claim);
}

async function extraOf(
  claims: JsonObject,
  jwt: CompiledJwt,
  pause: () => Promise<void>,
): Promise<Record<string, string[]>> {
  const extra: Record<string, string[]> = {};
  const { jti } = claims;
  if (typeof jti === 'string' && jti !== '')
    extra['authentication.kubernetes.io/credential-id'] = [`JTI=${jti}`];
  for (const { key, value } of jwt.extra) {
    await pause();
    const texts = value.texts(claims);
    if (texts.length > 0) setOwn(extra, key, texts);
  }
  return extra;
}

function requireClaims(claims: JsonObject, rules: JwtAuthenticator['claimValidationRules']): void {
  for (const { claim, requiredValue } of rules) {
    if (claim !== '' && textClaim(claims, claim) !== requiredValue)
      throw new Error(`its claim ${claim} is not "${requiredValue}"`);
  }
}

async function requireRules<Rule>(
  rules: readonly CompiledRule<Rule>[],
  { pause, holds }: { pause: () => Promise<void>; holds: (rule: Rule) => boolean },
): Promise<void> {
  for (const { rule, expression, message } of rules) {
    await pause();
    if (!holds(rule)) throw new Error(`validation expression '${expression}' failed: ${message}`);
  }
}
