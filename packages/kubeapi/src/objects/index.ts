/**
 * What one needs who works with objects and leaves schema, defaults and validation to an API server: names of resources,
 * failures, selectors, values. The whole schema would take 5 MiB of each process.
 */

export type * from '../generated/types.ts';
export { exactJson, parseExactJson } from '../json/exact-json.ts';
export { goJson } from '../json/go-json.ts';
export * from '../json/json-value.ts';
export { type CronFields, type CronSchedule, parseCronSchedule } from '../kinds/batch/cron-schedule.ts';
export {
  type RequestedCertificate,
  requestedCertificate,
} from '../kinds/certificates/requested-certificate.ts';
export {
  type BootstrapToken,
  bootstrapTokenName,
  bootstrapTokenType,
  readBootstrapToken,
  splitBootstrapToken,
} from '../kinds/core/bootstrap-token.ts';
export * from '../kinds/core/pod/pod-references.ts';
export * from '../schema/resources.ts';
export * from '../selector/field-selector.ts';
export * from '../selector/label-selector.ts';
export * from '../selector/parse-label-selector.ts';
export * from '../status/field-error.ts';
export * from '../status/status-error.ts';
export * from '../status/status-errors.ts';
export { type Cidr, parseCidr } from '../validation/addresses/cidr.ts';
export * from '../validation/formats.ts';
export * from '../values/amounts.ts';
export * from '../values/duration.ts';
export { addressOf } from '../values/ip-address.ts';
export * from '../values/quantity.ts';
export * from '../values/time.ts';
export { withoutTrailing } from '../values/trimmed.ts';
export { goYaml } from '../yaml/go-yaml.ts';
