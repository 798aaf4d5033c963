import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { ConfigMap, Deployment, Job, Namespace, Secret, ServiceAccount } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { type KeySourceFlags, readKeys } from './key-sources.ts';

/** A namespace. */
export const namespaceObject = (name: string): Namespace => ({
  ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  spec: {},
});

/** A service account. */
export const serviceAccountObject = (name: string): ServiceAccount => ({
  ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } },
});

/** A ConfigMap of files and literals; what is no text is `binaryData`. */
export function configMapObject(name: string, flags: KeySourceFlags): ConfigMap {
  const keys = [...readKeys(flags)];
  const texts = keys
    .filter(([, value]) => isUtf8(value))
    .map(([key, value]) => [key, value.toString('utf8')]);
  const binaries = keys
    .filter(([, value]) => !isUtf8(value))
    .map(([key, value]) => [key, value.toString('base64')]);
  return {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
    ...(texts.length > 0 ? { data: Object.fromEntries(texts) } : {}),
    ...(binaries.length > 0 ? { binaryData: Object.fromEntries(binaries) } : {}),
  };
}

/** A Secret of files and literals. */
export function secretObject(name: string, flags: KeySourceFlags & { type?: string }): Secret {
  const data = [...readKeys(flags)].map(([key, value]) => [key, value.toString('base64')]);
  return {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name } },
    ...(flags.type ? { type: flags.type } : {}),
    ...(data.length > 0 ? { data: Object.fromEntries(data) } : {}),
  };
}

/** What a Deployment or a Job runs. */
export interface RunFlags {
  image: string[];
  replicas?: number;
  /** Below 0 for none. */
  port?: number;
}

/** A Deployment of one container for each image. */
export function deploymentObject(name: string, command: readonly string[], flags: RunFlags): Deployment {
  const { image: images, replicas = 1, port = -1 } = flags;
  if (images.length > 1 && command.length > 0)
    throw new CommandError('cannot specify multiple --image options and command');
  const labels = { app: name };
  const containers = images.map((image, index) => ({
    ...{ name: containerName(image), image },
    ...(command.length > 0 ? { command: [...command] } : {}),
    ...(port >= 0 && index === 0 ? { ports: [{ containerPort: port }] } : {}),
  }));
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, labels } },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

/** The last part of an image's name, and something more where that is no name of a container. */
function containerName(image: string): string {
  const [bare = ''] = (image.split('/').at(-1) ?? '').split(/[:@]/);
  const name = bare.replaceAll(/[_.]/g, '-');
  return name === bare ? name : `${name}-${randomBytes(3).toString('hex').slice(1)}`;
}

/** A Job of one container, which is not started again. */
export function jobObject(name: string, command: readonly string[], image: string): Job {
  const container = { name, image, ...(command.length > 0 ? { command: [...command] } : {}) };
  return {
    ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name } },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  };
}
