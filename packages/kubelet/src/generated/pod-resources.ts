// Generated from the facts of k8s.io/kubelet v0.36.2. Do not edit; make it again: node packages/kubelet/scripts/generate.ts 36.2

import type { MessageSchema, MethodSchema } from '@wherry/cri/grpc';

export const messages: Record<string, MessageSchema> = {
  ListPodResourcesRequest: [],
  ListPodResourcesResponse: [[1, 'podResources', 'PodResources', 'repeated']],
  PodResources: [[1, 'name', 'string', 'single'], [2, 'namespace', 'string', 'single'], [3, 'containers', 'ContainerResources', 'repeated']],
  ContainerResources: [[1, 'name', 'string', 'single'], [2, 'devices', 'ContainerDevices', 'repeated'], [3, 'cpuIds', 'int64', 'repeated'], [4, 'memory', 'ContainerMemory', 'repeated'], [5, 'dynamicResources', 'DynamicResource', 'repeated']],
  ContainerDevices: [[1, 'resourceName', 'string', 'single'], [2, 'deviceIds', 'string', 'repeated'], [3, 'topology', 'TopologyInfo', 'single']],
  TopologyInfo: [[1, 'nodes', 'NUMANode', 'repeated']],
  NUMANode: [[1, 'id', 'int64', 'single']],
  ContainerMemory: [[1, 'memoryType', 'string', 'single'], [2, 'size', 'uint64', 'single'], [3, 'topology', 'TopologyInfo', 'single']],
  DynamicResource: [[2, 'claimName', 'string', 'single'], [3, 'claimNamespace', 'string', 'single'], [4, 'claimResources', 'ClaimResource', 'repeated']],
  ClaimResource: [[1, 'cdiDevices', 'CDIDevice', 'repeated'], [2, 'driverName', 'string', 'single'], [3, 'poolName', 'string', 'single'], [4, 'deviceName', 'string', 'single'], [5, 'shareId', 'string', 'single']],
  CDIDevice: [[1, 'name', 'string', 'single']],
  AllocatableResourcesRequest: [],
  AllocatableResourcesResponse: [[1, 'devices', 'ContainerDevices', 'repeated'], [2, 'cpuIds', 'int64', 'repeated'], [3, 'memory', 'ContainerMemory', 'repeated']],
  GetPodResourcesRequest: [[1, 'podName', 'string', 'single'], [2, 'podNamespace', 'string', 'single']],
  GetPodResourcesResponse: [[1, 'podResources', 'PodResources', 'single']],
};

export const services: Record<string, Record<string, MethodSchema>> = {
  PodResourcesLister: {
    list: ['List', 'ListPodResourcesRequest', 'ListPodResourcesResponse', false],
    getAllocatableResources: ['GetAllocatableResources', 'AllocatableResourcesRequest', 'AllocatableResourcesResponse', false],
    get: ['Get', 'GetPodResourcesRequest', 'GetPodResourcesResponse', false],
  },
};

export type ListPodResourcesRequest = Record<never, never>;

export interface ListPodResourcesResponse {
  podResources: PodResources[];
}

export interface PodResources {
  name: string;
  namespace: string;
  containers: ContainerResources[];
}

export interface ContainerResources {
  name: string;
  devices: ContainerDevices[];
  cpuIds: number[];
  memory: ContainerMemory[];
  dynamicResources: DynamicResource[];
}

export interface ContainerDevices {
  resourceName: string;
  deviceIds: string[];
  topology?: TopologyInfo | undefined;
}

export interface TopologyInfo {
  nodes: NUMANode[];
}

export interface NUMANode {
  id: number;
}

export interface ContainerMemory {
  memoryType: string;
  size: number;
  topology?: TopologyInfo | undefined;
}

export interface DynamicResource {
  claimName: string;
  claimNamespace: string;
  claimResources: ClaimResource[];
}

export interface ClaimResource {
  cdiDevices: CDIDevice[];
  driverName: string;
  poolName: string;
  deviceName: string;
  shareId: string;
}

export interface CDIDevice {
  name: string;
}

export type AllocatableResourcesRequest = Record<never, never>;

export interface AllocatableResourcesResponse {
  devices: ContainerDevices[];
  cpuIds: number[];
  memory: ContainerMemory[];
}

export interface GetPodResourcesRequest {
  podName: string;
  podNamespace: string;
}

export interface GetPodResourcesResponse {
  podResources?: PodResources | undefined;
}

export interface PodResourcesListerMethods {
  list: { request: ListPodResourcesRequest; response: ListPodResourcesResponse; stream: false };
  getAllocatableResources: { request: AllocatableResourcesRequest; response: AllocatableResourcesResponse; stream: false };
  get: { request: GetPodResourcesRequest; response: GetPodResourcesResponse; stream: false };
}
