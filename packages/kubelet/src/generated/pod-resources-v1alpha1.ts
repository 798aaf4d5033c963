// Generated from the facts of k8s.io/kubelet v0.36.2. Do not edit; make it again: node packages/kubelet/scripts/generate.ts 36.2

import type { MessageSchema, MethodSchema } from '@wherry/cri/grpc';

export const messages: Record<string, MessageSchema> = {
  ListPodResourcesRequest: [],
  ListPodResourcesResponse: [[1, 'podResources', 'PodResources', 'repeated']],
  PodResources: [[1, 'name', 'string', 'single'], [2, 'namespace', 'string', 'single'], [3, 'containers', 'ContainerResources', 'repeated']],
  ContainerResources: [[1, 'name', 'string', 'single'], [2, 'devices', 'ContainerDevices', 'repeated']],
  ContainerDevices: [[1, 'resourceName', 'string', 'single'], [2, 'deviceIds', 'string', 'repeated']],
};

export const services: Record<string, Record<string, MethodSchema>> = {
  PodResourcesLister: {
    list: ['List', 'ListPodResourcesRequest', 'ListPodResourcesResponse', false],
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
}

export interface ContainerDevices {
  resourceName: string;
  deviceIds: string[];
}

export interface PodResourcesListerMethods {
  list: { request: ListPodResourcesRequest; response: ListPodResourcesResponse; stream: false };
}
