// Generated from the facts of k8s.io/kubelet v0.36.2. Do not edit; make it again: node packages/kubelet/scripts/generate.ts 36.2

import type { MessageSchema, MethodSchema } from '@wherry/cri/grpc';

export const messages: Record<string, MessageSchema> = {
  NodePrepareResourcesRequest: [[1, 'claims', 'Claim', 'repeated']],
  Claim: [[1, 'namespace', 'string', 'single'], [2, 'uid', 'string', 'single'], [3, 'name', 'string', 'single']],
  NodePrepareResourcesResponse: [[1, 'claims', 'NodePrepareResourceResponse', 'map:string']],
  NodePrepareResourceResponse: [[1, 'devices', 'Device', 'repeated'], [2, 'error', 'string', 'single']],
  Device: [[1, 'requestNames', 'string', 'repeated'], [2, 'poolName', 'string', 'single'], [3, 'deviceName', 'string', 'single'], [4, 'cdiDeviceIds', 'string', 'repeated'], [5, 'shareId', 'string', 'single']],
  NodeUnprepareResourcesRequest: [[1, 'claims', 'Claim', 'repeated']],
  NodeUnprepareResourcesResponse: [[1, 'claims', 'NodeUnprepareResourceResponse', 'map:string']],
  NodeUnprepareResourceResponse: [[1, 'error', 'string', 'single']],
};

export const services: Record<string, Record<string, MethodSchema>> = {
  DRAPlugin: {
    nodePrepareResources: ['NodePrepareResources', 'NodePrepareResourcesRequest', 'NodePrepareResourcesResponse', false],
    nodeUnprepareResources: ['NodeUnprepareResources', 'NodeUnprepareResourcesRequest', 'NodeUnprepareResourcesResponse', false],
  },
};

export interface NodePrepareResourcesRequest {
  claims: Claim[];
}

export interface Claim {
  namespace: string;
  uid: string;
  name: string;
}

export interface NodePrepareResourcesResponse {
  claims: Record<string, NodePrepareResourceResponse>;
}

export interface NodePrepareResourceResponse {
  devices: Device[];
  error: string;
}

export interface Device {
  requestNames: string[];
  poolName: string;
  deviceName: string;
  cdiDeviceIds: string[];
  shareId: string;
}

export interface NodeUnprepareResourcesRequest {
  claims: Claim[];
}

export interface NodeUnprepareResourcesResponse {
  claims: Record<string, NodeUnprepareResourceResponse>;
}

export interface NodeUnprepareResourceResponse {
  error: string;
}

export interface DRAPluginMethods {
  nodePrepareResources: { request: NodePrepareResourcesRequest; response: NodePrepareResourcesResponse; stream: false };
  nodeUnprepareResources: { request: NodeUnprepareResourcesRequest; response: NodeUnprepareResourcesResponse; stream: false };
}
