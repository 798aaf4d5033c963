/** Where an object is from, or what has changed it, as `buildMetadata` tells of it. */
import { map, text, type YamlNode } from '../yaml/node.ts';
import { writeYaml } from '../yaml/write.ts';

export interface Origin {
  /** The file, from the folder that is built. */
  path?: string;
  /** The kustomization that made or changed it. */
  configuredIn?: string;
  configuredBy?: { apiVersion?: string; kind?: string; name?: string; namespace?: string };
}

/** The folders between the kustomization that is built and the one at work. */
export const joinOrigin = (path: string, part: string): string => {
  const parts: string[] = [];
  for (const one of `${path}/${part}`.split('/')) {
    if (one === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (one !== '' && one !== '.') parts.push(one);
  }
  return parts.join('/');
};

export const originText = (origin: Origin): string => writeYaml(originNode(origin));

/** A list, each entry as an origin. */
export const originsText = (origins: readonly Origin[]): string =>
  writeYaml({ kind: 'list', items: origins.map(originNode) });

function originNode({ path, configuredIn, configuredBy }: Origin): YamlNode {
  const by = Object.entries(configuredBy ?? {}).filter(([, value]) => value !== undefined && value !== '');
  return map([
    ...(path ? [['path', text(path)] as [string, YamlNode]] : []),
    ...(configuredIn ? [['configuredIn', text(configuredIn)] as [string, YamlNode]] : []),
    ...(by.length > 0
      ? [['configuredBy', map(by.map(([key, value]) => [key, text(String(value))]))] as [string, YamlNode]]
      : []),
  ]);
}
