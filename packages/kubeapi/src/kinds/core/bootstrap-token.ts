/** Bootstrap tokens: secrets of `kube-system` by which machines show that they may join (k8s.io/cluster-bootstrap). */
import type { Secret } from '../../generated/types.ts';
import { ownValue } from '../../json/json-value.ts';

/** Type of the secrets that hold them. */
export const bootstrapTokenType = 'bootstrap.kubernetes.io/token';

/** What such a secret says. */
export interface BootstrapToken {
  id: string;
  secret: string;
  /** Whether it opens the API server, and whether `cluster-info` is signed with it. */
  usages: { authentication: boolean; signing: boolean };
  /** The groups that its bearer is in; undefined when the secret names one that may not be. */
  groups: readonly string[] | undefined;
  /** When it is over, in milliseconds since 1970: Infinity for never, -Infinity for a time that can't be read. */
  expiresAtMs: number;
}

const group = 'system:bootstrappers';
const furtherGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** The two halves of `ID.SECRET`; undefined when it is no bootstrap token. */
export function splitBootstrapToken(token: string): { id: string; secret: string } | undefined {
  const [, id, secret] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(token) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}

/** Name of the secret of a token. */
export const bootstrapTokenName = (id: string): string => `bootstrap-token-${id}`;

/** Reads a secret; undefined when it is no bootstrap token, or not named after it. */
export function readBootstrapToken({ metadata, type, data = {} }: Secret): BootstrapToken | undefined {
  if (type !== bootstrapTokenType) return undefined;
  const text = (key: string) => Buffer.from(ownValue(data, key) ?? '', 'base64').toString('utf8');
  const [id, secret] = [text('token-id'), text('token-secret')];
  if (id === '' || secret === '' || metadata.name !== bootstrapTokenName(id)) return undefined;
  const extra = text('auth-extra-groups')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const isTrue = (key: string) => text(key) === 'true';
  return {
    ...{ id, secret },
    usages: {
      authentication: isTrue('usage-bootstrap-authentication'),
      signing: isTrue('usage-bootstrap-signing'),
    },
    groups: extra.every((name) => furtherGroup.test(name))
      ? [...new Set([group, ...extra])].sort()
      : undefined,
    expiresAtMs: expiry(text('expiration')),
  };
}

function expiry(text: string): number {
  if (text === '') return Number.POSITIVE_INFINITY;
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? Number.NEGATIVE_INFINITY : atMs;
}
