/** The Kubernetes object schema as data: types, codecs, defaults, validation, selectors, quantities, patches. */

export {
  type Applied,
  type ApplyOptions,
  applyConfiguration,
  type TrackOptions,
  trackUpdate,
  type UpdateOptions,
} from './apply/server-side-apply.ts';
export * from './body.ts';
export { ConformError, type Conformed, conform } from './conform.ts';
export { applyDefaults } from './defaults/apply.ts';
export { imageTag } from './defaults/computed.ts';
export * from './discovery.ts';
export * from './duration.ts';
export * from './field-error.ts';
export type * from './generated/types.ts';
export * from './json-value.ts';
export * from './limits.ts';
export { type OpenApiDocument, OpenApiDocuments } from './openapi/documents.ts';
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
export { humanDuration } from './table/human-duration.ts';
export { type IncludeObject, type TableOptions, tableFor } from './table/table.ts';
export * from './time.ts';
export * from './validation/formats.ts';
export { type MetadataRules, validateMetadata, validateMetadataUpdate } from './validation/metadata.ts';
export { nameFormat } from './validation/names.ts';
export { validatePodSpec } from './validation/pod.ts';
export { validateCreate, validateUpdate } from './validation/validate.ts';
