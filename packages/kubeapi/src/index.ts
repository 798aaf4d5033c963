/** The Kubernetes object schema as data: types, codecs, defaults, validation, selectors, quantities, patches. */
export * from './field-error.ts';
export type * from './generated/types.ts';
export * from './json-value.ts';
export * from './resources.ts';
export * from './schema.ts';
export * from './status-error.ts';
export * from './status-errors.ts';
