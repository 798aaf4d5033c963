import { shownJson } from '@wherry/bytes';
import { boundedWords, RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { isRecord, isWithinDepth, type JsonObject, textOf } from '../state/json.ts';
import { type CniVersion, cniVersions, isCniVersion } from './versions.ts';

/** One plug-in of a network: its program's file name, and its configuration as it was written. */
export interface PluginConfig {
  type: string;
  /** Capabilities that it asks arguments for. */
  capabilities: readonly string[];
  config: JsonObject;
}

/** A network: plug-ins that are called one after another. */
export interface NetworkList {
  name: string;
  version: CniVersion;
  /** Versions that the file leaves to choose from. */
  versions: readonly CniVersion[];
  disableCheck: boolean;
  disableGC: boolean;
  /** Whether plug-ins from the folder named like the network are left out. */
  isWhole: boolean;
  plugins: readonly PluginConfig[];
  /** The file's text. */
  source: string;
}

const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;
const programPattern = /^[a-zA-Z0-9][a-zA-Z0-9_.+-]*$/;

const wrong = (why: string) => new RuntimeError('INVALID_ARGUMENT', why);

function objectFrom(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(`error parsing configuration: ${(error as Error).message}`);
  }
  if (!isRecord(value)) throw wrong('error parsing configuration: it is no JSON object');
  if (!isWithinDepth(value, limits.cniDepthMax))
    throw wrong(`error parsing configuration: it has more than ${limits.cniDepthMax} levels of JSON`);
  return value;
}

/** Reads the configuration of one plug-in. Throws `RuntimeError` INVALID_ARGUMENT. */
export function pluginFrom(config: unknown): PluginConfig {
  if (!isRecord(config)) throw wrong('error parsing configuration: a plugin is no JSON object');
  const type = config['type'];
  if (typeof type !== 'string' || type === '') throw wrong("error parsing configuration: missing 'type'");
  if (!programPattern.test(type))
    throw wrong(`plugin type ${JSON.stringify(boundedWords(type))} is no file name: no folders, no spaces`);
  const { capabilities } = config;
  const wanted = isRecord(capabilities) ? Object.entries(capabilities) : [];
  return {
    type,
    capabilities: wanted.filter(([, isWanted]) => isWanted === true).map(([name]) => name),
    config,
  };
}

/** As {@link pluginFrom}, from a file's text. */
export const pluginFromText = (text: string): PluginConfig => pluginFrom(objectFrom(text));

function versionsOf(list: JsonObject): CniVersion[] {
  const { cniVersion, cniVersions: several = [] } = list;
  if (!Array.isArray(several)) throw wrong('error parsing configuration: cniVersions is no list');
  const offered = [...several, ...(cniVersion === undefined ? [] : [cniVersion])];
  const spoken = offered.filter(isCniVersion);
  if (spoken.length > 0) return spoken;
  const said =
    offered.length === 0
      ? 'there is no cniVersion'
      : `cniVersion ${JSON.stringify(boundedWords(offered.map(shownJson).join(', ')))}`;
  throw wrong(`${said}: want one of ${cniVersions.join(', ')}`);
}

/** A switch, which may be written as a text. */
function isOn(value: unknown, name: string): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw wrong(
    `error parsing configuration: invalid value ${boundedWords(JSON.stringify(value))} for ${name}`,
  );
}

/** Reads a `.conflist` file. Throws `RuntimeError` INVALID_ARGUMENT. */
export function listFromText(source: string): NetworkList {
  const list = objectFrom(source);
  const { plugins } = list;
  if (plugins !== undefined && (!Array.isArray(plugins) || plugins.length === 0))
    throw wrong("error parsing configuration list: 'plugins' is no list, or an empty one");
  const isWhole = isOn(list['loadOnlyInlinedPlugins'], 'loadOnlyInlinedPlugins');
  if (plugins === undefined && isWhole)
    throw wrong("error parsing configuration list: 'loadOnlyInlinedPlugins' is true, and no 'plugins' key");
  return {
    ...headOf(list),
    disableCheck: isOn(list['disableCheck'], 'disableCheck'),
    disableGC: isOn(list['disableGC'], 'disableGC'),
    isWhole,
    plugins: (plugins ?? []).map(pluginFrom),
    source,
  };
}

/** Reads a `.conf` or `.json` file: one plug-in, which is a network of its own. Throws `RuntimeError` INVALID_ARGUMENT. */
export function listFromPlugin(source: string): NetworkList {
  const config = objectFrom(source);
  const plugin = pluginFrom(config);
  return {
    ...headOf(config),
    disableCheck: false,
    disableGC: false,
    isWhole: true,
    plugins: [plugin],
    source,
  };
}

function headOf(list: JsonObject): Pick<NetworkList, 'name' | 'version' | 'versions'> {
  const name = textOf(list['name']);
  if (name === '') throw wrong('error parsing configuration: no name');
  if (!namePattern.test(name) || name.length > limits.cniNameLengthMax)
    throw wrong(
      `invalid characters found in network name ${JSON.stringify(boundedWords(name))}, or too many`,
    );
  const versions = versionsOf(list);
  return {
    name,
    versions,
    version: cniVersions.findLast((version) => versions.includes(version)) ?? '1.0.0',
  };
}

/** The list as one text, with all that it was put together from and the version chosen: {@link listFromText} takes it. */
export const textOfList = ({ name, version, disableCheck, disableGC, plugins }: NetworkList): string =>
  JSON.stringify({
    cniVersion: version,
    name,
    ...(disableCheck && { disableCheck }),
    ...(disableGC && { disableGC }),
    loadOnlyInlinedPlugins: true,
    plugins: plugins.map(({ config }) => config),
  });
