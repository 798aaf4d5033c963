// Generated from the facts of k8s.io/kubelet v0.36.2. Do not edit; make it again: node packages/kubelet/scripts/generate.ts 36.2

import type { MessageSchema, MethodSchema } from '@wherry/cri/grpc';

export const messages: Record<string, MessageSchema> = {
  NodeWatchResourcesRequest: [],
  NodeWatchResourcesResponse: [[1, 'devices', 'DeviceHealth', 'repeated']],
  DeviceHealth: [[1, 'device', 'DeviceIdentifier', 'single'], [2, 'health', 'enum', 'single'], [3, 'lastUpdatedTime', 'int64', 'single'], [4, 'healthCheckTimeoutSeconds', 'int64', 'single'], [5, 'message', 'string', 'single']],
  DeviceIdentifier: [[1, 'poolName', 'string', 'single'], [2, 'deviceName', 'string', 'single']],
};

export const services: Record<string, Record<string, MethodSchema>> = {
  DRAResourceHealth: {
    nodeWatchResources: ['NodeWatchResources', 'NodeWatchResourcesRequest', 'NodeWatchResourcesResponse', true],
  },
};

export const HealthStatus = {
  UNKNOWN: 0,
  HEALTHY: 1,
  UNHEALTHY: 2,
} as const;
export type HealthStatus = (typeof HealthStatus)[keyof typeof HealthStatus];

export type NodeWatchResourcesRequest = Record<never, never>;

export interface NodeWatchResourcesResponse {
  devices: DeviceHealth[];
}

export interface DeviceHealth {
  device?: DeviceIdentifier | undefined;
  health: HealthStatus;
  lastUpdatedTime: number;
  healthCheckTimeoutSeconds: number;
  message: string;
}

export interface DeviceIdentifier {
  poolName: string;
  deviceName: string;
}

export interface DRAResourceHealthMethods {
  nodeWatchResources: { request: NodeWatchResourcesRequest; response: NodeWatchResourcesResponse; stream: true };
}
