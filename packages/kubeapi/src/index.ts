/** The Kubernetes object schema as data: types, codecs, defaults, validation, selectors, quantities, patches. */

export { blankObject } from './apply/blank-object.ts';
export { asServerSideApplied, lastAppliedManagers } from './apply/client-side-managers.ts';
export { layOver } from './apply/lay-over.ts';
export { messageNode } from './apply/node.ts';
export { type Applied, type ApplyOptions, applyConfiguration } from './apply/server-side-apply.ts';
export { type TrackOptions, trackUpdate, type UpdateOptions } from './apply/track-update.ts';
export { keyedPath, unfitItems } from './apply/typed-config.ts';
export type { ManagedVersions } from './apply/versions.ts';
export * from './body.ts';
export type {
  AccessAnswer,
  AccessQuestion,
  AccessTarget,
  AskAccess,
} from './cel/kubernetes/authorization.ts';
export type { PolicyInputs } from './cel/policies/inputs.ts';
export { patchedObject } from './cel/policies/patch-object.ts';
export {
  PolicyBudgetError,
  PolicyEvaluation,
  type PolicyExpression,
  PolicyExpressions,
  PolicyFailure,
} from './cel/policies/policy-expressions.ts';
export type { RuleVerdict } from './cel/schema/check-rules.ts';
export { type CustomComponents, customComponents } from './custom/components.ts';
export { customType } from './custom/custom-type.ts';
export * from './discovery.ts';
export type * from './generated/types.ts';
export { exactJson, exactWhole, parseExactJson } from './json/exact-json.ts';
export { goJson, goText, withSortedKeys } from './json/go-json.ts';
export { describeSyntaxError } from './json/json-scan.ts';
export * from './json/json-value.ts';
export { approvalCondition } from './kinds/apiextensions/approval.ts';
export { isSoundBundle } from './kinds/apiextensions/conversion-rules.ts';
export { definitionWarnings } from './kinds/apiextensions/custom-resource-definition.ts';
export { builtInType } from './kinds/built-in-type.ts';
export {
  type RequestedCertificate,
  requestedCertificate,
} from './kinds/certificates/requested-certificate.ts';
export {
  type BootstrapToken,
  bootstrapTokenName,
  bootstrapTokenType,
  readBootstrapToken,
  splitBootstrapToken,
} from './kinds/core/bootstrap-token.ts';
export { nodeLabelAdvice, selectorTermWarnings } from './kinds/core/node-label-warnings.ts';
export { adoptAppArmor } from './kinds/core/pod/app-armor.ts';
export { imageTag } from './kinds/core/pod/defaults.ts';
export {
  allContainers,
  type PodReferences,
  podReferences,
  volumeSecrets,
} from './kinds/core/pod/pod-references.ts';
export { validatePodSpec } from './kinds/core/pod/validation/pod.ts';
export { normalSysctl, sysctlNamespace } from './kinds/core/pod/validation/sysctls.ts';
export { claimSpecWarnings, claimWarnings } from './kinds/core/pod/warnings/claim-warnings.ts';
export { hostNameWarnings, type PodParts, podWarnings } from './kinds/core/pod/warnings/pod-warnings.ts';
export { validateServiceAddresses } from './kinds/core/service/addresses.ts';
export { applyDefaults } from './kinds/defaults.ts';
export * from './kinds/field-labels.ts';
export {
  autoUpdateAnnotation,
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
} from './kinds/flowcontrol/mandatory-objects.ts';
export { suggestedFlowSchemas, suggestedPriorityLevels } from './kinds/flowcontrol/suggested-objects.ts';
export { managedVersions } from './kinds/managed-versions.ts';
export { uncoveredRules } from './kinds/rbac/rule-cover.ts';
export { type IncludeObject, type TableOptions, tableFor } from './kinds/table.ts';
export { hasOwnRules, validateCreate, validateUpdate } from './kinds/validate.ts';
export { inVersion, kindVersions } from './kinds/versions.ts';
export * from './limits.ts';
export { type MediaClause, parseMediaClause, preferredClauses } from './media/media-clauses.ts';
export type { ObjectType } from './object-type.ts';
export { type OpenApiDocument, OpenApiDocuments } from './openapi/documents.ts';
export { renderSwagger, type SwaggerForm, type SwaggerOptions } from './openapi/swagger.ts';
export * from './patch/json-patch.ts';
export * from './patch/merge-patch.ts';
export * from './patch/patch-error.ts';
export { strategicConflict } from './patch/strategic-conflict.ts';
export { createStrategicPatch, createThreeWayStrategicPatch } from './patch/strategic-diff.ts';
export { applyStrategicPatch } from './patch/strategic-patch.ts';
export { decodeMessage, decodeProtobuf } from './protobuf/decode.ts';
export { encodeMessage } from './protobuf/encode.ts';
export * from './protobuf/encode-object.ts';
export {
  type Envelope,
  encodeWatchFrame,
  isProtobufBody,
  openEnvelope,
  protobufMagic,
} from './protobuf/envelope.ts';
export { ProtobufError } from './protobuf/reader.ts';
export { ConformError, type Conformed, conform, unknownFieldText } from './schema/conform.ts';
export { holdsRawJson } from './schema/raw-fields.ts';
export * from './schema/resources.ts';
export * from './schema/schema.ts';
export * from './selector/field-selector.ts';
export * from './selector/label-selector.ts';
export * from './selector/parse-label-selector.ts';
export * from './status/aggregate.ts';
export * from './status/field-error.ts';
export * from './status/status-error.ts';
export * from './status/status-errors.ts';
export { humanDuration } from './table/human-duration.ts';
export { addressWarnings, rangeWarnings } from './validation/addresses/address-warnings.ts';
export { type Cidr, parseCidr } from './validation/addresses/cidr.ts';
export * from './validation/formats.ts';
export {
  isKnownFinalizer,
  type MetadataRules,
  validateAnnotations,
  validateFinalizer,
  validateLabels,
  validateMetadata,
  validateMetadataUpdate,
  validateRequirementValues,
} from './validation/metadata.ts';
export { domainPrefixedPath } from './validation/references.ts';
export { validateTolerations } from './validation/tolerations.ts';
export { type AddressClass, addressClass } from './values/address-class.ts';
export { readByteList } from './values/byte-list.ts';
export * from './values/duration.ts';
export { addressOf, canonicalAddress } from './values/ip-address.ts';
export { compilePattern, loadPatternEngine, type Pattern, patternComplaint } from './values/pattern.ts';
export * from './values/quantity.ts';
export * from './values/time.ts';
export { withoutTrailing } from './values/trimmed.ts';
export { goYaml } from './yaml/go-yaml.ts';
export { isYesOrNo, type PlainScalar, readPlainScalar, type YamlTag } from './yaml/plain-scalar.ts';
export { writeYaml, type YamlValue } from './yaml/write-yaml.ts';
