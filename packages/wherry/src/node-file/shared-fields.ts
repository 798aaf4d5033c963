import { resolve } from 'node:path';
import type { ProxySettings } from '@wherry/node';
import { readTracingSettings, type TracingSettings } from '@wherry/node/layout';
import type { Place } from './place.ts';

/** What is said of every node in the same words. */
export interface SharedFields {
  registryConfig?: string | undefined;
  /** URLs by registry, asked in this order before the registry itself. */
  mirrors?: Record<string, string[]> | undefined;
  /** OCI runtimes by the names of their handlers. */
  runtimeHandlers?: Record<string, string> | undefined;
  /** Where plug-ins of the Node Resource Interface connect; null for nowhere. */
  nriSocket?: string | null | undefined;
  /** Images that are checkpoints are restored. */
  restoreCheckpointImages?: boolean | undefined;
  proxy?: ProxySettings | undefined;
  tracing?: TracingSettings | undefined;
  /** Fields of a KubeletConfiguration. */
  kubelet?: Record<string, unknown> | undefined;
  /** Images to have: names to pull, or archives to load. */
  images: string[];
}

/** The names of these fields. */
export const sharedFields = [
  'registryConfig',
  'mirrors',
  'runtimeHandlers',
  'nriSocket',
  'restoreCheckpointImages',
  'proxy',
  'tracing',
  'kubelet',
  'images',
] as const;

/** Reads them. Paths are those of `folder`. Throws `CommandError` with file and line for what is wrong. */
export function readSharedFields(fields: Map<string, Place>, folder: string): SharedFields {
  const registryConfig = fields.get('registryConfig')?.text();
  const mirrors = fields.get('mirrors')?.map((place) => place.list().map((entry) => urlOf(entry)));
  if (registryConfig !== undefined && mirrors !== undefined) {
    throw fields
      .get('mirrors')
      ?.wrong('mirrors and registryConfig exclude each other; hosts.toml says mirrors too');
  }
  return {
    registryConfig: registryConfig === undefined ? undefined : resolve(folder, registryConfig),
    mirrors,
    runtimeHandlers: fields.get('runtimeHandlers')?.map((place) => place.text()),
    nriSocket: nriSocketOf(fields.get('nriSocket')?.text(), folder),
    restoreCheckpointImages: fields.get('restoreCheckpointImages')?.truth(),
    proxy: proxyOf(fields.get('proxy')),
    tracing: tracingOf(fields.get('tracing')),
    kubelet: fields.get('kubelet')?.map((place) => place.value),
    images: textsOf(fields.get('images')),
  };
}

/** A path, of `folder` where it is relative; null for `none`. */
export const nriSocketOf = (text: string | undefined, folder: string): string | null | undefined =>
  text === undefined ? undefined : text === 'none' ? null : resolve(folder, text);

/** The texts of a list; none where the field is not there. */
export const textsOf = (place: Place | undefined): string[] =>
  place?.list().map((entry) => entry.text()) ?? [];

function tracingOf(place: Place | undefined): TracingSettings | undefined {
  if (!place) return undefined;
  const fields = place.fields(['endpoint', 'samplingRatePerMillion']);
  try {
    return readTracingSettings(Object.fromEntries([...fields].map(([name, { value }]) => [name, value])));
  } catch (error) {
    throw place.wrong(`tracing: ${(error as Error).message}`);
  }
}

function proxyOf(place: Place | undefined): ProxySettings | undefined {
  const fields = place?.fields(['http', 'https', 'noProxy']);
  return (
    fields && {
      httpProxy: optionalUrl(fields.get('http')),
      httpsProxy: optionalUrl(fields.get('https')),
      noProxy: fields
        .get('noProxy')
        ?.list()
        .map((entry) => entry.text())
        .join(','),
    }
  );
}

const optionalUrl = (place: Place | undefined) => (place === undefined ? undefined : urlOf(place));

function urlOf(place: Place): string {
  const text = place.text();
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw place.wrong(`"${text}" is no URL that begins with http:// or https://`);
  }
  return text;
}
