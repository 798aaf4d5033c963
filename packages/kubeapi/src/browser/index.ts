/** What a client needs that is no node: names of resources, failures, values. Nothing of Node's, and no schema. */

export type * from '../generated/types.ts';
export * from '../json-value.ts';
export * from '../resources.ts';
export * from '../status-error.ts';
