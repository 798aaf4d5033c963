import { shownJson } from '@wherry/bytes';
import {
  ConformError,
  conform,
  formatDurationMs,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  joinFieldErrors,
  ownValue,
  parseDurationMs,
  parseTextWith,
  setOwn,
  unknownFieldText,
} from '@wherry/kubeapi';
import { limits } from '../../limits.ts';
import type {
  LeaderElectionConfiguration,
  PluginArguments,
  PluginConfig,
  SchedulerConfiguration,
} from './configuration.ts';
import { setDefaults } from './defaults.ts';
import { apiVersion, kind, kinds, lookUp, messageNames } from './messages.ts';
import { validateConfiguration } from './validation/validate-configuration.ts';

/** A file of configuration that can't be used; the message says why, in upstream's words where upstream refuses it too. */
export class SchedulerConfigurationError extends Error {
  override readonly name = 'SchedulerConfigurationError';
  readonly code = 'invalid-configuration';
}

/**
 * Reads a `KubeSchedulerConfiguration`, YAML or JSON, as strictly as upstream, fills in its defaults, lays `leaderElection` over it and
 * checks it. Throws {@link SchedulerConfigurationError}.
 */
export function readSchedulerConfiguration(
  file: Uint8Array,
  leaderElection: Partial<LeaderElectionConfiguration> = {},
): SchedulerConfiguration {
  try {
    const configuration = decode(file);
    setDefaults(configuration);
    Object.assign(configuration.leaderElection, leaderElection);
    const errors = validateConfiguration(configuration);
    if (errors.length > 0) throw new Error(joinFieldErrors(errors));
    leaveToExtenders(configuration);
    return configuration;
  } catch (error) {
    if (error instanceof SchedulerConfigurationError) throw error;
    throw new SchedulerConfigurationError((error as Error).message, { cause: error });
  }
}

/** Resources that extenders look after alone stand in place of those that arguments name. */
function leaveToExtenders({ extenders = [], profiles }: SchedulerConfiguration): void {
  const managed = extenders.flatMap(({ managedResources = [] }) => managedResources);
  const ignored = managed.filter(({ ignoredByScheduler }) => ignoredByScheduler).map(({ name }) => name);
  if (ignored.length === 0) return;
  for (const { pluginConfig } of profiles) {
    const fit = pluginConfig.find(({ name }) => name === 'NodeResourcesFit')?.args;
    if (!fit) throw new Error("couldn't build extenders: can't find NodeResourcesFitArgs in plugin config");
    Object.assign(fit, { ignoredResources: ignored });
  }
}

function decode(file: Uint8Array): object {
  if (file.length > limits.configurationBytesMax)
    throw new Error(`the file is longer than ${limits.configurationBytesMax} bytes`);
  const { value, duplicates } = parseTextWith(file, 'yaml', { findDuplicates: true });
  const document = namedKind(value, file);
  const twice =
    duplicates.length > 0
      ? [`yaml: unmarshal errors:${duplicates.map((each) => `\n  ${each}`).join('')}`]
      : [];
  const { object, unknown } = readMessage(document, kind);
  const nested: string[] = [];
  for (const [index, profile] of ((ownValue(object, 'profiles') as JsonObject[] | undefined) ?? []).entries())
    for (const [place, config] of ((profile['pluginConfig'] ?? []) as unknown as PluginConfig[]).entries())
      readArguments(config, `.profiles[${index}].pluginConfig[${place}]`, nested);
  const all = [...twice, ...unknown.map(unknownFieldText), ...nested];
  if (all.length > 0) throw new Error(`strict decoding error: ${all.join(', ')}`);
  return object;
}

/** Signs of a file that are shown where it is none. */
const shownMax = 200;

/** The document, once it says that it is the right one. */
function namedKind(value: JsonValue, file: Uint8Array): JsonValue {
  // Upstream shows all of it.
  const text = Buffer.from(file).toString().slice(0, shownMax);
  const document = isJsonObject(value) ? value : {};
  const [named, version] = ['kind', 'apiVersion'].map((name) => shownJson(ownValue(document, name) ?? ''));
  if (named === '') throw new Error(`Object 'Kind' is missing in '${text}'`);
  if (version === '') throw new Error(`Object 'apiVersion' is missing in '${text}'`);
  if (version !== apiVersion || !kinds.includes(named!)) throw new Error(unregistered(named!, version!));
  if (named !== kind)
    throw new Error(`couldn't decode as KubeSchedulerConfiguration, got ${version}, Kind=${named}: `);
  return document;
}

const unregistered = (named: string, version: string) =>
  `no kind "${named}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`;

function readMessage(value: JsonValue, message: string): { object: JsonObject; unknown: string[] } {
  try {
    const { object, unknownFields } = conform(value, lookUp(message), lookUp);
    canonizeDurations(object, message);
    return { object, unknown: unknownFields.sort(byPath) };
  } catch (error) {
    if (!(error instanceof ConformError)) throw error;
    // Numbers with a point are Go's smaller ones here, and some fields stand in a struct of their own there.
    const text = error.message
      .replace(/of type float64$/, 'of type float32')
      .replace(`${kind}.enable`, `${kind}.DebuggingConfiguration.enable`);
    throw new Error(text, { cause: error });
  }
}

/** As Go meets fields, who has sorted them. */
function byPath(a: string, b: string): number {
  const [one, other] = [a, b].map((path) => path.split(/[.[\]]+/));
  const index = one!.findIndex((part, place) => part !== other![place]);
  const [left = '', right = ''] = [one![index], other![index]];
  return Number(left) - Number(right) || (left < right ? -1 : 1);
}

/** Writes each as Go does; throws on a text that stands for no time. */
function canonizeDurations(object: JsonObject, message: string): void {
  for (const [name, field] of lookUp(message).jsonFields) {
    const value = ownValue(object, name);
    if (value === undefined || value === null) continue;
    if (field.scalar === 'Duration') setOwn(object, name, formatDurationMs(parseDurationMs(value as string)));
    const inner = field.message;
    if (inner === undefined || !messageNames.includes(inner)) continue;
    for (const each of [value].flat()) canonizeDurations(each as JsonObject, inner);
  }
}

/** Reads the arguments of a plug-in that takes some, in place; what is known of no plug-in stays as it is. */
function readArguments(config: PluginConfig, path: string, complaints: string[]): void {
  const wanted = `${config.name}Args`;
  if (!kinds.includes(wanted)) return;
  const given = (config.args ?? {}) as JsonValue;
  const where = `decoding ${path}: decoding args for plugin ${config.name}`;
  if (!isJsonObject(given)) throw new Error(`${where}: the arguments must be an object`);
  const named = shownJson(ownValue(given, 'kind') || wanted);
  const version = shownJson(ownValue(given, 'apiVersion') || apiVersion);
  if (version !== apiVersion || !kinds.includes(named))
    throw new Error(`${where}: ${unregistered(named, version)}`);
  if (named !== wanted)
    throw new Error(
      `decoding ${path}: args for plugin ${config.name} were not of type ${wanted}.kubescheduler.config.k8s.io, got ${named}.kubescheduler.config.k8s.io`,
    );
  try {
    const { object, unknown } = readMessage({ ...given, apiVersion, kind: wanted }, wanted);
    config.args = object;
    if (unknown.length === 0) return;
    const text = `strict decoding error: ${unknown.map(unknownFieldText).join(', ')}`;
    complaints.push(
      `decoding ${path}: strict decoding error: decoding args for plugin ${config.name}: ${text}`,
    );
  } catch (error) {
    throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
  }
}

/** The arguments of a plug-in of a profile, which a configuration that was read has for each that takes some. */
export function argumentsOf<Name extends keyof PluginArguments>(
  { pluginConfig }: { pluginConfig: readonly PluginConfig[] },
  name: Name,
): PluginArguments[Name] {
  const found = pluginConfig.find((each) => each.name === name);
  if (!found) throw new Error(`there are no arguments for plugin ${name}`);
  return found.args as PluginArguments[Name];
}
