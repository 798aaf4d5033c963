export { limits as monitorLimits } from './limits.ts';
export { LogFile, type LogFileOptions } from './log/log-file.ts';
export { Monitor, type MonitorOptions } from './monitor.ts';
export { chooseOciRuntime } from './process/choose-oci-runtime.ts';
export { dialPod } from './session/port-dial.ts';
export { endKeepers, type RunningMonitor, type StartMonitorOptions, startMonitor } from './start.ts';
export {
  type CommandRequest,
  type ForwardRequest,
  type SessionRunner,
  StreamingServer,
  type StreamingServerOptions,
  streamingLimits,
  TokenCache,
  type TokenCacheOptions,
} from './streaming/index.ts';
