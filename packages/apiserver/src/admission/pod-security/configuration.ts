import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue, parseText } from '@wherry/kubeapi';
import { levelLabel, modes, type Policy, policyOf, versionLabel } from './policy.ts';

/** What the administrator says about pod security. */
export interface PodSecurityConfiguration {
  /** For namespaces whose labels say nothing. */
  defaults: Policy;
  exemptions: Readonly<Record<Exemption, readonly string[]>>;
}

/** What a pod is let through by. */
export type Exemption = 'usernames' | 'runtimeClasses' | 'namespaces';

const anything = { level: 'privileged', minor: Number.POSITIVE_INFINITY } as const;

/** Nothing is asked of pods in namespaces without labels, and nobody is exempt, as upstream. */
export const defaultConfiguration: PodSecurityConfiguration = {
  defaults: { enforce: anything, audit: anything, warn: anything },
  exemptions: { usernames: [], runtimeClasses: [], namespaces: [] },
};

const exemptionNames: readonly Exemption[] = ['usernames', 'runtimeClasses', 'namespaces'];
const configurationVersions = ['v1', 'v1beta1', 'v1alpha1'].map(
  (version) => `pod-security.admission.config.k8s.io/${version}`,
);

/**
 * The part for PodSecurity of an `--admission-control-config-file` (AdmissionConfiguration). Throws on a file that can't
 * be read, on unknown fields and values, and on other plug-ins, none of which takes a configuration.
 */
export function readAdmissionConfiguration(path: string): PodSecurityConfiguration {
  const file = readObject(path);
  if (file['kind'] !== 'AdmissionConfiguration') throw problem(path, 'kind', file['kind']);
  let found = defaultConfiguration;
  for (const plugin of listOf(path, 'plugins', file['plugins'])) {
    if (!isJsonObject(plugin) || plugin['name'] !== 'PodSecurity') throw problem(path, 'plugins', plugin);
    const { configuration, path: other } = plugin;
    if (isJsonObject(configuration)) found = parsePodSecurity(path, configuration);
    else if (typeof other === 'string' && other !== '') {
      const place = isAbsolute(other) ? other : join(path, '..', other);
      found = parsePodSecurity(place, readObject(place));
    }
  }
  return found;
}

function parsePodSecurity(path: string, configuration: JsonObject): PodSecurityConfiguration {
  const { apiVersion, kind, defaults = {}, exemptions = {}, ...others } = configuration;
  const [unknown] = Object.entries(others);
  if (unknown) throw problem(path, ...unknown);
  if (kind !== 'PodSecurityConfiguration') throw problem(path, 'kind', kind);
  if (typeof apiVersion !== 'string' || !configurationVersions.includes(apiVersion))
    throw problem(path, 'apiVersion', apiVersion);
  if (!isJsonObject(defaults)) throw problem(path, 'defaults', defaults);
  if (!isJsonObject(exemptions)) throw problem(path, 'exemptions', exemptions);
  return { defaults: parseDefaults(path, defaults), exemptions: parseExemptions(path, exemptions) };
}

/** Written like the labels of a namespace, without their prefix. */
function parseDefaults(path: string, defaults: JsonObject): Policy {
  const known = new Map<string, string>(
    modes.flatMap((mode) => [
      [mode, levelLabel(mode)] as const,
      [`${mode}-version`, versionLabel(mode)] as const,
    ]),
  );
  const labels = Object.entries(defaults).map(([key, value]) => {
    const label = known.get(key);
    if (label === undefined || typeof value !== 'string') throw problem(path, `defaults.${key}`, value);
    return [label, value] as const;
  });
  const given = Object.fromEntries(labels);
  const { policy, errors } = policyOf(given, defaultConfiguration.defaults);
  const [first] = errors;
  if (first) throw new Error(`"${path}": defaults: ${first.field}: ${first.body}`);
  // Only a namespace's own label implies a warning.
  const warn = !Object.hasOwn(given, levelLabel('warn'))
    ? { ...policy.warn, level: anything.level }
    : policy.warn;
  return { ...policy, warn };
}

function parseExemptions(path: string, exemptions: JsonObject): PodSecurityConfiguration['exemptions'] {
  for (const key of Object.keys(exemptions)) {
    if (!exemptionNames.some((name) => name === key)) throw problem(path, `exemptions.${key}`, exemptions);
  }
  const read = (name: Exemption) =>
    listOf(path, `exemptions.${name}`, exemptions[name]).map((text) => {
      if (typeof text !== 'string' || text === '') throw problem(path, `exemptions.${name}`, text);
      return text;
    });
  return {
    usernames: read('usernames'),
    runtimeClasses: read('runtimeClasses'),
    namespaces: read('namespaces'),
  };
}

function readObject(path: string): JsonObject {
  const value = parseText(readFileSync(path), 'yaml');
  if (!isJsonObject(value)) throw problem(path, '', value);
  return value;
}

function listOf(path: string, field: string, value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw problem(path, field, value);
  return value;
}

function problem(path: string, field: string, value: JsonValue | undefined): Error {
  const place = field === '' ? 'the file' : `field "${field}"`;
  return new Error(
    `"${path}": ${place} can't be ${JSON.stringify(value)}: want an AdmissionConfiguration whose one plug-in is PodSecurity`,
  );
}
