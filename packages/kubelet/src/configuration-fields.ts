/** What documents of configurations are read by: the kubelet's, and those of other parts of a node. */
export { actedOn, noEffect, only, unless, warnedOf } from './configuration/claims.ts';
export { ConfigurationError } from './configuration/configuration-error.ts';
export {
  anything,
  choice,
  duration,
  type FieldClaim,
  type FieldReport,
  type FieldType,
  flag,
  fraction,
  isMap,
  keepsZero,
  objects,
  optional,
  text,
  texts,
  whole,
} from './configuration/field-types.ts';
export { FlagValueError, flagValue } from './configuration/flags/flag-values.ts';
export { gateFacts, gateProblem } from './configuration/gate-facts.ts';
export { section } from './configuration/section.ts';
