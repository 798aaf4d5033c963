/** Where an object is from, or what has changed it, as `buildMetadata` tells of it. */
import { map, text } from '../yaml/node.ts';
import { writeNode } from '../yaml/write.ts';

export interface Origin {
  /** The file, from the folder that is built. */
  path?: string;
  /** The kustomization that made or changed it, or the file of the transformer. */
  configuredIn?: string;
  configuredBy?: { apiVersion?: string; kind?: string; name?: string; namespace?: string };
}

/** The way from the folder that is built to one that is named on it. */
export function joinOrigin(path: string, part: string): string {
  const parts: string[] = [];
  for (const one of `${path}/${part}`.split('/')) {
    if (one === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (one !== '' && one !== '.') parts.push(one);
  }
  return parts.join('/');
}

/** YAML, in the order of kustomize's fields. */
export function originText({ path, configuredIn, configuredBy = {} }: Origin): string {
  const by = Object.entries(configuredBy).filter(([, value]) => value !== undefined && value !== '');
  const inner = by.map(([key, value]) => `  ${line(key, value as string)}`).join('');
  return `${line('path', path)}${line('configuredIn', configuredIn)}${inner === '' ? '' : `configuredBy:\n${inner}`}`;
}

/** A list, each entry as an origin. */
export const originsText = (origins: readonly Origin[]): string =>
  origins.map((origin) => `- ${originText(origin).trimEnd().replaceAll('\n', '\n  ')}\n`).join('');

const line = (key: string, value: string | undefined): string =>
  value === undefined || value === '' ? '' : writeNode(map([[key, text(value)]]));
