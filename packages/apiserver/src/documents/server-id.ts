import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

/** What metrics tell servers of one cluster apart by, as upstream: made of the name of the machine. */
export function serverIdHash(): string {
  const digest = createHash('sha256').update(`apiserver-${hostname()}`).digest('hex');
  return `sha256:${digest}`;
}
