import { shownJson } from '@wherry/bytes';
import {
  aggregateText,
  ConformError,
  conform,
  type FieldError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  joinFieldErrors,
  ownValue,
  parseDurationMs,
  parseTextWith,
  unknownFieldText,
} from '@wherry/kubeapi';
import { limits } from '../../limits.ts';
import type { PluginArguments, PluginConfig, SchedulerConfiguration } from './configuration.ts';
import { setDefaults } from './defaults.ts';
import { apiVersion, kind, kinds, lookUp, messageNames } from './messages.ts';
import { validateConfiguration } from './validation/validate-configuration.ts';

/** A file of configuration that can't be used; the message says why, in upstream's words where upstream refuses it too. */
export class SchedulerConfigurationError extends Error {
  override readonly name = 'SchedulerConfigurationError';
  readonly code = 'invalid-configuration';
}

/**
 * Reads a `KubeSchedulerConfiguration`, YAML or JSON, as strictly as upstream, fills in its defaults and checks it. Throws {@link
 * SchedulerConfigurationError}.
 */
export function readSchedulerConfiguration(file: Uint8Array): SchedulerConfiguration {
  try {
    const configuration = decode(file);
    setDefaults(configuration);
    throwAny(validateConfiguration(configuration));
    return configuration;
  } catch (error) {
    if (error instanceof SchedulerConfigurationError) throw error;
    throw new SchedulerConfigurationError((error as Error).message, { cause: error });
  }
}

/** Throws what is wrong, if anything is, in one sentence. */
export function throwAny(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new Error(joinFieldErrors(errors));
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

/** The document, once it says that it is the right one. */
function namedKind(value: JsonValue, file: Uint8Array): JsonValue {
  const text = Buffer.from(file).toString();
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
    checkDurations(object, message);
    return { object, unknown: unknownFields };
  } catch (error) {
    if (!(error instanceof ConformError)) throw error;
    // The one kind of number with a point that there is here is Go's smaller one.
    throw new Error(error.message.replace(/of type float64$/, 'of type float32'), { cause: error });
  }
}

/** Throws on a text that stands for no time. */
function checkDurations(object: JsonObject, message: string): void {
  for (const [name, field] of lookUp(message).jsonFields) {
    const value = ownValue(object, name);
    if (value === undefined || value === null) continue;
    if (field.scalar === 'Duration') parseDurationMs(value as string);
    const inner = field.message;
    if (inner === undefined || !messageNames.includes(inner)) continue;
    for (const each of [value].flat()) checkDurations(each as JsonObject, inner);
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
  if (!found) throw new Error(aggregateText([`there are no arguments for plugin ${name}`]));
  return found.args as PluginArguments[Name];
}
