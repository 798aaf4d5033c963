import { isLoopbackHost } from '@wherry/bytes';

/** Addresses of no place, as URLs write them: Linux connects them to the loopback. */
const unspecified: readonly string[] = ['0.0.0.0', '[::]', '[::ffff:0:0]'];

/**
 * Whether this machine may answer at a URL: by a loopback address in any spelling, by one of no place, or by a name that stands for
 * it (RFC 6761, 6.3). What name servers say of other names is not asked.
 */
export function leadsHere({ hostname }: URL): boolean {
  return isLoopbackHost(hostname) || unspecified.includes(hostname) || /(?:^|\.)localhost\.?$/.test(hostname);
}
