import type {
  ConfigMapEnvSource,
  ConfigMapKeySelector,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
  SecretEnvSource,
  SecretKeySelector,
} from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts, noEffect } from '../../pod/field-verdict.ts';

const variables = 'kubelet/execution/environment/environment';

export const envFromSource: MessageVerdicts<EnvFromSource> = {
  prefix: actedOn(variables),
  configMapRef: actedOn(variables),
  secretRef: actedOn(variables),
};

export const configMapEnvSource: MessageVerdicts<ConfigMapEnvSource> = {
  name: actedOn(variables),
  optional: actedOn(variables),
};

export const secretEnvSource: MessageVerdicts<SecretEnvSource> = {
  name: actedOn(variables),
  optional: actedOn(variables),
};

export const envVar: MessageVerdicts<EnvVar> = {
  name: actedOn(variables),
  value: actedOn(variables),
  valueFrom: actedOn(variables),
};

export const envVarSource: MessageVerdicts<EnvVarSource> = {
  fieldRef: actedOn(variables),
  resourceFieldRef: actedOn(variables),
  configMapKeyRef: actedOn(variables),
  secretKeyRef: actedOn(variables),
  fileKeyRef: actedOn(variables),
};

export const objectFieldSelector: MessageVerdicts<ObjectFieldSelector> = {
  apiVersion: noEffect('v1 is the only version a pod has'),
  fieldPath: actedOn('kubelet/execution/environment/field-value'),
};

export const resourceFieldSelector: MessageVerdicts<ResourceFieldSelector> = {
  containerName: actedOn('kubelet/execution/environment/resource-value'),
  resource: actedOn('kubelet/execution/environment/resource-value'),
  divisor: actedOn('kubelet/execution/environment/resource-value'),
};

export const fileKeySelector: MessageVerdicts<FileKeySelector> = {
  volumeName: actedOn(variables),
  path: actedOn('kubelet/execution/environment/read-environment-file'),
  key: actedOn('kubelet/execution/environment/environment-file'),
  optional: actedOn(variables),
};

export const configMapKeySelector: MessageVerdicts<ConfigMapKeySelector> = {
  name: actedOn(variables),
  key: actedOn(variables),
  optional: actedOn(variables),
};

export const secretKeySelector: MessageVerdicts<SecretKeySelector> = {
  name: actedOn(variables),
  key: actedOn(variables),
  optional: actedOn(variables),
};
