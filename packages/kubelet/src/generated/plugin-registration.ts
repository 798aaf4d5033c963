// Generated from the facts of k8s.io/kubelet v0.36.2. Do not edit; make it again: node packages/kubelet/scripts/generate.ts 36.2

import type { MessageSchema, MethodSchema } from '@wherry/cri/grpc';

export const messages: Record<string, MessageSchema> = {
  InfoRequest: [],
  PluginInfo: [[1, 'type', 'string', 'single'], [2, 'name', 'string', 'single'], [3, 'endpoint', 'string', 'single'], [4, 'supportedVersions', 'string', 'repeated']],
  RegistrationStatus: [[1, 'pluginRegistered', 'bool', 'single'], [2, 'error', 'string', 'single']],
  RegistrationStatusResponse: [],
};

export const services: Record<string, Record<string, MethodSchema>> = {
  Registration: {
    getInfo: ['GetInfo', 'InfoRequest', 'PluginInfo', false],
    notifyRegistrationStatus: ['NotifyRegistrationStatus', 'RegistrationStatus', 'RegistrationStatusResponse', false],
  },
};

export type InfoRequest = Record<never, never>;

export interface PluginInfo {
  type: string;
  name: string;
  endpoint: string;
  supportedVersions: string[];
}

export interface RegistrationStatus {
  pluginRegistered: boolean;
  error: string;
}

export type RegistrationStatusResponse = Record<never, never>;

export interface RegistrationMethods {
  getInfo: { request: InfoRequest; response: PluginInfo; stream: false };
  notifyRegistrationStatus: { request: RegistrationStatus; response: RegistrationStatusResponse; stream: false };
}
