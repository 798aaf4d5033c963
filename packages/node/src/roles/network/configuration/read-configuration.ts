import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { goYaml, ownValue, setOwn } from '@wherry/kubeapi';
import {
  ConfigurationError,
  type FieldReport,
  type FieldType,
  FlagValueError,
  flagValue,
  isMap,
} from '@wherry/kubelet/configuration-fields';
import { parse } from 'yaml';
import { keyOfFlag, type ProxyFlag, type ProxyFlags, proxyFlags } from '../../flags/nodes/proxy-flags.ts';
import { proxyContradictions } from './proxy-contradictions.ts';
import { type ProxyConfiguration, proxyFields } from './proxy-fields.ts';

/** What holds, and what is to be told of it. */
export interface ReadConfiguration {
  configuration: ProxyConfiguration;
  /** Paths of fields that a flag or the file says, such as `conntrack.min`. */
  said: ReadonlySet<string>;
  /** A line for each field or flag that has no effect. */
  warnings: readonly string[];
}

/**
 * What a file and a command line come to. Beside a file flags say the node's name and how much is logged, as upstream; others are
 * warned of. Throws `ConfigurationError`, which names every bad field.
 */
export function readProxyConfiguration(file: string | undefined, flags: ProxyFlags): ReadConfiguration {
  const problems: string[] = [];
  const warnings: string[] = [];
  const report: FieldReport = {
    error: (path, message) => problems.push(`${path}: ${message}`),
    warn: (path, message) => warnings.push(`${path}: ${message}`),
  };
  const document = file === undefined ? {} : documentOf(readFileSync(file, 'utf8'), report);
  const configuration = withDefaultAddresses(proxyFields.decode(document, '', report));
  const said = new Set(file === undefined ? [] : [...pathsIn(proxyFields)]);
  for (const flag of proxyFlags) {
    const given = textsOf(flags, flag);
    if (given === undefined) continue;
    if (file !== undefined && !flag.standsAboveFile) {
      const fields = flag.paths.join(' or ');
      report.warn(`--${flag.name}`, `is ignored, since there is --config: set ${fields} there`);
      continue;
    }
    applyFlag(configuration, { flag, given, report });
    for (const path of flag.paths) said.add(path);
  }
  problems.push(...proxyContradictions(configuration));
  if (problems.length > 0)
    throw new ConfigurationError(
      problems,
      file === undefined ? 'the command line' : `the configuration "${file}"`,
    );
  return { configuration, said, warnings };
}

/** The document that {@link readProxyConfiguration} reads as this. */
export const writtenProxyConfiguration = (configuration: ProxyConfiguration): unknown =>
  proxyFields.encode(configuration);

function documentOf(source: string, report: FieldReport): unknown {
  let document: unknown;
  try {
    document = parse(source, goYaml) ?? {};
  } catch (error) {
    report.error('document', (error as Error).message);
    return {};
  }
  if (isMap(document))
    for (const name of ['apiVersion', 'kind'])
      if (!ownValue(document, name)) report.error(name, 'is missing');
  return document;
}

/** A copy, whose pages are at both families where the node's address is of IPv6, as upstream. */
function withDefaultAddresses(configuration: ProxyConfiguration): ProxyConfiguration {
  const [any, loopback] = isIPv4(configuration.bindAddress) ? ['0.0.0.0', '127.0.0.1'] : ['[::]', '[::1]'];
  return {
    ...structuredClone(configuration),
    healthzBindAddress: configuration.healthzBindAddress || `${any}:10256`,
    metricsBindAddress: configuration.metricsBindAddress || `${loopback}:10249`,
  };
}

function textsOf(flags: ProxyFlags, { name }: ProxyFlag): readonly string[] | undefined {
  const value: unknown = ownValue(flags as Record<string, unknown>, keyOfFlag(name));
  if (typeof value === 'boolean') return [value ? 'true' : 'false'];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

/** What a flag says holds as it is: zero is no default there. */
function applyFlag(
  configuration: ProxyConfiguration,
  { flag, given, report }: { flag: ProxyFlag; given: readonly string[]; report: FieldReport },
): void {
  try {
    const value = flag.type === 'Float32' ? Number(given.at(-1)) : flagValue(flag.type, given);
    for (const path of flag.paths) {
      const names = path.split('.');
      const last = names.pop() ?? '';
      let at = configuration as Record<string, unknown>;
      let type: FieldType<unknown> | undefined = proxyFields;
      for (const name of names) {
        at = ownValue(at, name) as Record<string, unknown>;
        type = ownValue(type?.fields ?? {}, name);
      }
      const field = ownValue(type?.fields ?? {}, last);
      setOwn(at, last, field?.decode(value, `--${flag.name}`, report));
    }
  } catch (error) {
    if (!(error instanceof FlagValueError)) throw error;
    report.error(`--${flag.name}`, error.message);
  }
}

function* pathsIn(type: FieldType<unknown>, above = ''): Generator<string> {
  for (const [name, field] of Object.entries(type.fields ?? {})) {
    yield `${above}${name}`;
    yield* pathsIn(field, `${above}${name}.`);
  }
}
