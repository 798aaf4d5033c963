/** `node:fs` over the simulated machine: the calls that wherry makes, done at once. */
import { constants } from 'node:fs';
import { failure } from './failure.ts';

export * from './attributes.ts';
export * from './entries.ts';
export * from './open-files.ts';
export { constants };

/** Nothing tells of changes: who watches a folder also looks at it from time to time. */
export function watch(): never {
  throw failure('ENOSPC', 'watch', 'simulated');
}

const unsimulated = (name: string) => (): never => {
  throw new Error(`${name} is not simulated`);
};

export const createReadStream = unsimulated('createReadStream');

export const createWriteStream = unsimulated('createWriteStream');

export const linkSync = unsimulated('linkSync');

export const lutimesSync = unsimulated('lutimesSync');

export const mkdtempSync = unsimulated('mkdtempSync');
