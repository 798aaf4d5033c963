/** What a client needs that is no node: names of resources, failures, values. Nothing of Node's, and no schema. */

export type * from '../generated/types.ts';
export { exactJson, parseExactJson } from '../json/exact-json.ts';
export * from '../json/json-value.ts';
export * from '../schema/resources.ts';
export * from '../status/status-error.ts';
export * from '../values/time.ts';
export { goYaml } from '../yaml/go-yaml.ts';
