// Generated from the facts of k8s.io/kubelet v0.36.2. Do not edit; make it again: node packages/kubelet/scripts/generate.ts 36.2

import type { MessageSchema, MethodSchema } from '@wherry/cri/grpc';

export const messages: Record<string, MessageSchema> = {
  RegisterRequest: [[1, 'version', 'string', 'single'], [2, 'endpoint', 'string', 'single'], [3, 'resourceName', 'string', 'single'], [4, 'options', 'DevicePluginOptions', 'single']],
  DevicePluginOptions: [[1, 'preStartRequired', 'bool', 'single'], [2, 'getPreferredAllocationAvailable', 'bool', 'single']],
  Empty: [],
  ListAndWatchResponse: [[1, 'devices', 'Device', 'repeated']],
  Device: [[1, 'id', 'string', 'single'], [2, 'health', 'string', 'single'], [3, 'topology', 'TopologyInfo', 'single']],
  TopologyInfo: [[1, 'nodes', 'NUMANode', 'repeated']],
  NUMANode: [[1, 'id', 'int64', 'single']],
  PreferredAllocationRequest: [[1, 'containerRequests', 'ContainerPreferredAllocationRequest', 'repeated']],
  ContainerPreferredAllocationRequest: [[1, 'availableDeviceIDs', 'string', 'repeated'], [2, 'mustIncludeDeviceIDs', 'string', 'repeated'], [3, 'allocationSize', 'int32', 'single']],
  PreferredAllocationResponse: [[1, 'containerResponses', 'ContainerPreferredAllocationResponse', 'repeated']],
  ContainerPreferredAllocationResponse: [[1, 'deviceIDs', 'string', 'repeated']],
  AllocateRequest: [[1, 'containerRequests', 'ContainerAllocateRequest', 'repeated']],
  ContainerAllocateRequest: [[1, 'devicesIds', 'string', 'repeated']],
  AllocateResponse: [[1, 'containerResponses', 'ContainerAllocateResponse', 'repeated']],
  ContainerAllocateResponse: [[1, 'envs', 'string', 'map:string'], [2, 'mounts', 'Mount', 'repeated'], [3, 'devices', 'DeviceSpec', 'repeated'], [4, 'annotations', 'string', 'map:string'], [5, 'cdiDevices', 'CDIDevice', 'repeated']],
  Mount: [[1, 'containerPath', 'string', 'single'], [2, 'hostPath', 'string', 'single'], [3, 'readOnly', 'bool', 'single']],
  DeviceSpec: [[1, 'containerPath', 'string', 'single'], [2, 'hostPath', 'string', 'single'], [3, 'permissions', 'string', 'single']],
  CDIDevice: [[1, 'name', 'string', 'single']],
  PreStartContainerRequest: [[1, 'devicesIds', 'string', 'repeated']],
  PreStartContainerResponse: [],
};

export const services: Record<string, Record<string, MethodSchema>> = {
  Registration: {
    register: ['Register', 'RegisterRequest', 'Empty', false],
  },
  DevicePlugin: {
    getDevicePluginOptions: ['GetDevicePluginOptions', 'Empty', 'DevicePluginOptions', false],
    listAndWatch: ['ListAndWatch', 'Empty', 'ListAndWatchResponse', true],
    getPreferredAllocation: ['GetPreferredAllocation', 'PreferredAllocationRequest', 'PreferredAllocationResponse', false],
    allocate: ['Allocate', 'AllocateRequest', 'AllocateResponse', false],
    preStartContainer: ['PreStartContainer', 'PreStartContainerRequest', 'PreStartContainerResponse', false],
  },
};

export interface RegisterRequest {
  version: string;
  endpoint: string;
  resourceName: string;
  options?: DevicePluginOptions | undefined;
}

export interface DevicePluginOptions {
  preStartRequired: boolean;
  getPreferredAllocationAvailable: boolean;
}

export type Empty = Record<never, never>;

export interface ListAndWatchResponse {
  devices: Device[];
}

export interface Device {
  id: string;
  health: string;
  topology?: TopologyInfo | undefined;
}

export interface TopologyInfo {
  nodes: NUMANode[];
}

export interface NUMANode {
  id: number;
}

export interface PreferredAllocationRequest {
  containerRequests: ContainerPreferredAllocationRequest[];
}

export interface ContainerPreferredAllocationRequest {
  availableDeviceIDs: string[];
  mustIncludeDeviceIDs: string[];
  allocationSize: number;
}

export interface PreferredAllocationResponse {
  containerResponses: ContainerPreferredAllocationResponse[];
}

export interface ContainerPreferredAllocationResponse {
  deviceIDs: string[];
}

export interface AllocateRequest {
  containerRequests: ContainerAllocateRequest[];
}

export interface ContainerAllocateRequest {
  devicesIds: string[];
}

export interface AllocateResponse {
  containerResponses: ContainerAllocateResponse[];
}

export interface ContainerAllocateResponse {
  envs: Record<string, string>;
  mounts: Mount[];
  devices: DeviceSpec[];
  annotations: Record<string, string>;
  cdiDevices: CDIDevice[];
}

export interface Mount {
  containerPath: string;
  hostPath: string;
  readOnly: boolean;
}

export interface DeviceSpec {
  containerPath: string;
  hostPath: string;
  permissions: string;
}

export interface CDIDevice {
  name: string;
}

export interface PreStartContainerRequest {
  devicesIds: string[];
}

export type PreStartContainerResponse = Record<never, never>;

export interface RegistrationMethods {
  register: { request: RegisterRequest; response: Empty; stream: false };
}

export interface DevicePluginMethods {
  getDevicePluginOptions: { request: Empty; response: DevicePluginOptions; stream: false };
  listAndWatch: { request: Empty; response: ListAndWatchResponse; stream: true };
  getPreferredAllocation: { request: PreferredAllocationRequest; response: PreferredAllocationResponse; stream: false };
  allocate: { request: AllocateRequest; response: AllocateResponse; stream: false };
  preStartContainer: { request: PreStartContainerRequest; response: PreStartContainerResponse; stream: false };
}
