import { createHash, timingSafeEqual } from 'node:crypto';
import { ownValue, type Secret } from '@wherry/kubeapi';
import type { JWTPayload } from 'jose';
import { serviceAccountUserName } from '../identity.ts';
import type { ServiceAccountClaims } from './claims.ts';

/** Who issues tokens that live in secrets, and never end by themselves (upstream: pkg/serviceaccount/legacy.go). */
export const legacyIssuer = 'kubernetes/serviceaccount';

const prefix = 'kubernetes.io/serviceaccount';
const invalidSince = 'kubernetes.io/legacy-token-invalid-since';

/** What such a token says; undefined when something is missing. */
export function readLegacyClaims(payload: JWTPayload, token: string): ServiceAccountClaims | undefined {
  const text = (key: string) => {
    const value = ownValue(payload, `${prefix}/${key}`);
    return typeof value === 'string' ? value : '';
  };
  const [namespace, name, uid] = [
    text('namespace'),
    text('service-account.name'),
    text('service-account.uid'),
  ];
  const secretName = text('secret.name');
  if (!namespace || !name || !uid || !secretName) return undefined;
  if (payload.sub !== serviceAccountUserName(namespace, name)) return undefined;
  return { namespace, name, uid, secret: { name: secretName, token } };
}

/** Whether somebody has marked what a secret holds as invalid. */
export function isMarkedInvalid({ metadata }: Secret): boolean {
  return Boolean(metadata.labels?.[invalidSince]);
}

/** Whether a secret is still the one that holds the token. */
export function holdsToken(secret: Secret, token: string): boolean {
  if (secret.metadata.deletionTimestamp) return false;
  const stored = Buffer.from(secret.data?.['token'] ?? '', 'base64').toString('utf8');
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(stored), digest(token));
}
