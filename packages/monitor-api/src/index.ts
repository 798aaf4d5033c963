export { MonitorClient, type MonitorClientOptions } from './client.ts';
export type { CallOptions } from './connection.ts';
export type {
  CheckpointFolders,
  ContainerState,
  ContainerStatus,
  CreateContainerRequest,
  ExitReason,
} from './container.ts';
export { MonitorError } from './errors.ts';
export type { ContainerEvent, ContainerEventType, EventMessage, EventPosition } from './events.ts';
export { limits as monitorWireLimits } from './limits.ts';
export type {
  ExecSyncResult,
  MonitorMethodName,
  MonitorMethods,
  ProgramOutput,
  ProgramRequest,
  StreamSelection,
} from './methods.ts';
export type { OciProcess, OciResources } from './oci-process.ts';
export { type CallContext, createMonitorServer, type MonitorHandlers, type MonitorServer } from './server.ts';
