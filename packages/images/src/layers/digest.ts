import { createHash } from 'node:crypto';

/** A content digest, `sha256:` and 64 lower-case hexadecimal digits. */
export type Digest = `sha256:${string}`;

/** Whether a text is a whole sha256 digest. */
export const isDigest = (text: string): text is Digest => /^sha256:[0-9a-f]{64}$/.test(text);

/** The digest of some bytes. */
export const digestOf = (bytes: Uint8Array | string): Digest =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** The hexadecimal part of a digest. */
export const hexOf = (digest: Digest): string => digest.slice('sha256:'.length);
