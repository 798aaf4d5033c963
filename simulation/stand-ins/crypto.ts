/** `node:crypto` whose random bytes follow from the seed. */
export * from 'node:crypto';

export const randomBytes = (count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, () => Math.floor(Math.random() * 256)));

export const randomUUID = (): string =>
  randomBytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
