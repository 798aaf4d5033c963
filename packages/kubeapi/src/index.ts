/** The Kubernetes object schema as data: types, codecs, defaults, validation, selectors, quantities, patches. */

export * from './body.ts';
export { ConformError, type Conformed, conform } from './conform.ts';
export * from './duration.ts';
export * from './field-error.ts';
export type * from './generated/types.ts';
export * from './json-value.ts';
export * from './limits.ts';
export * from './patch/json-patch.ts';
export * from './patch/merge-patch.ts';
export * from './patch/patch-error.ts';
export { applyStrategicPatch } from './patch/strategic-patch.ts';
export { decodeMessage } from './protobuf/decode.ts';
export { encodeMessage } from './protobuf/encode.ts';
export * from './protobuf/envelope.ts';
export { ProtobufError } from './protobuf/reader.ts';
export * from './quantity.ts';
export * from './resources.ts';
export * from './schema.ts';
export * from './selector/field-labels.ts';
export * from './selector/field-selector.ts';
export * from './selector/label-selector.ts';
export * from './selector/parse-label-selector.ts';
export * from './status-error.ts';
export * from './status-errors.ts';
export * from './time.ts';
export * from './validation/formats.ts';
