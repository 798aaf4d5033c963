import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shownJson } from '@wherry/bytes';
import { applyMergePatch, goYaml, type JsonValue } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { parse } from 'yaml';
import type { KubeletConfiguration } from '../configuration/configuration.ts';
import { ConfigurationError } from '../configuration/configuration-error.ts';
import { decodeConfiguration } from '../configuration/decode-configuration.ts';
import { isMap } from '../configuration/field-types.ts';
import { withFlags } from '../configuration/flags/apply-flags.ts';
import type { StartKubeletOptions } from './options.ts';

/** The configuration that is in force: the file, then each drop-in over it, then what flags say. Throws ConfigurationError. */
export async function readConfiguration(
  options: StartKubeletOptions,
  logger: Logger,
): Promise<KubeletConfiguration> {
  const base = options.config ? await readDocument(options.config) : (options.configuration ?? {});
  const dropIns = options.configDir ? await readDropIns(options.configDir) : [];
  const flags = options.configurationFlags ?? {};
  const names = Object.keys(flags);
  if (names.length > 0)
    logger.info('flags say what the file of --config is for; upstream has deprecated them', { flags: names });
  const document = withFlags(dropIns.reduce(applyMergePatch, base as JsonValue), flags);
  const { configuration, warnings } = decodeConfiguration(document);
  for (const warning of warnings)
    logger.warn('a field of the configuration has no effect', { field: warning });
  return configuration;
}

/** The files `*.conf` of a folder and of those in it, by their paths (upstream: --config-dir). */
async function readDropIns(folder: string): Promise<JsonValue[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith('.conf'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return await Promise.all(paths.map(readDropIn));
}

/** A drop-in says what it is, as the file itself need not. */
async function readDropIn(path: string): Promise<JsonValue> {
  const document = await readDocument(path);
  const { apiVersion, kind } = isMap(document) ? document : {};
  if (apiVersion === 'kubelet.config.k8s.io/v1beta1' && kind === 'KubeletConfiguration')
    return document as JsonValue;
  throw new ConfigurationError([
    `${path}: must be a KubeletConfiguration of kubelet.config.k8s.io/v1beta1, not "${shownJson(kind)}" of "${shownJson(apiVersion)}"`,
  ]);
}

async function readDocument(path: string): Promise<unknown> {
  try {
    return parse(await readFile(path, 'utf8'), goYaml) ?? {};
  } catch (error) {
    throw new ConfigurationError([`${path}: ${(error as Error).message}`]);
  }
}
