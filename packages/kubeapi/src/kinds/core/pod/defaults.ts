/** Computed defaults of pods, containers and volumes. */

import { items, object } from '../../../defaults/parts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/json-value.ts';
import { defaultPodResources } from './pod-level/defaults.ts';

/** Requests from limits, resources of the whole pod, host ports on the host's network, service links. */
export function defaultPod(pod: JsonObject): void {
  const spec = object(pod['spec']);
  const containers = [...items(spec['containers']), ...items(spec['initContainers'])];
  for (const container of containers) defaultRequests(container);
  defaultPodResources(spec);
  // Templates keep what they say.
  const graceSeconds = spec['terminationGracePeriodSeconds'];
  if (typeof graceSeconds === 'number' && graceSeconds < 0) spec['terminationGracePeriodSeconds'] = 1;
  if (spec['hostNetwork'] === true) {
    for (const port of containers.flatMap((container) => items(container['ports']))) {
      if (!port['hostPort'] && port['containerPort']) port['hostPort'] = port['containerPort'];
    }
  }
  spec['enableServiceLinks'] ??= true;
}

/** A limit without a request is a request too. */
function defaultRequests(container: JsonObject): void {
  const resources = container['resources'];
  if (!isJsonObject(resources) || !isJsonObject(resources['limits'])) return;
  resources['requests'] = { ...resources['limits'], ...object(resources['requests']) };
}

/** `serviceAccount` is the old name of `serviceAccountName`; both always say the same. */
export function defaultPodSpec(spec: JsonObject): void {
  const name = spec['serviceAccountName'] || spec['serviceAccount'];
  if (!name) return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

/** The single address and the first of the list always say the same; the single one wins. */
export function defaultPodAddresses(status: JsonObject): void {
  const [first] = items(status['podIPs']);
  const address = status['podIP'] || first?.['ip'];
  if (!address) return;
  status['podIP'] = address;
  if (first?.['ip'] !== address) status['podIPs'] = [{ ip: address }];
}

/** Always for the tag latest, else IfNotPresent. */
export function defaultPullPolicy(
  holder: JsonObject,
  key: 'imagePullPolicy' | 'pullPolicy',
  image: JsonValue | undefined,
): void {
  holder[key] ||= imageTag(typeof image === 'string' ? image : '') === 'latest' ? 'Always' : 'IfNotPresent';
}

const pathComponent = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const host = '[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::[0-9]+)?|\\[[a-fA-F0-9:]+\\](?::[0-9]+)?';
const reference = new RegExp(
  `^(?:(?:${host})/)?${pathComponent}(?:/${pathComponent})*(?::\\w[\\w.-]{0,127})?(?:@[A-Za-z][\\w.+-]*:[0-9a-fA-F]+)?$`,
);

const nameLengthMax = 255;

/** The length of a name with the registry and the folder that stand for none. */
function fullLength(name: string): number {
  const [first = '', ...rest] = name.split('/');
  if (rest.length === 0) return `docker.io/library/${name}`.length;
  return /[.:A-Z]|^localhost$/.test(first) ? name.length : `docker.io/${name}`.length;
}

/**
 * The tag of an image name: `latest` when it has neither tag nor digest, empty when it has a digest alone or is no
 * image name.
 */
export function imageTag(image: string): string {
  if (image.length > 1024 || !reference.test(image)) return '';
  const [name = '', digest] = image.split('@', 2);
  // A bare number of an image could as well be its name.
  if (/^[a-f0-9]{64}$/.test(name)) return '';
  if (fullLength(name.replace(/:[\w.-]*$/, '')) > nameLengthMax) return '';
  const lastSegment = name.slice(name.lastIndexOf('/') + 1);
  const colon = lastSegment.indexOf(':');
  if (colon >= 0) return lastSegment.slice(colon + 1);
  return digest === undefined ? 'latest' : '';
}

/** A volume without a source is an empty folder. */
export function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume['emptyDir'] = {};
}
