export type { KubeletConfiguration } from './configuration/configuration.ts';
export { ConfigurationError } from './configuration/configuration-error.ts';
export {
  type DecodedConfiguration,
  decodeConfiguration,
  parseConfiguration,
} from './configuration/decode-configuration.ts';
export type { Kubelet, StartKubeletOptions } from './ground/options.ts';
export { startKubelet } from './kubelet.ts';
export { type FollowOptions, type LogOptions, readContainerLog } from './logs/read-log.ts';
export { kubeletVersion } from './reporting/node/node-status.ts';
