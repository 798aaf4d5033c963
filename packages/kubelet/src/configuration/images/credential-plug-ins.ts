import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { goYaml } from '@wherry/kubeapi';
import { parse } from 'yaml';
import { ConfigurationError } from '../configuration-error.ts';
import {
  choice,
  duration,
  type FieldReport,
  type FieldType,
  flag,
  isMap,
  objects,
  optional,
  text,
  texts,
} from '../field-types.ts';
import { section } from '../section.ts';

const subject = 'the configuration of credential plug-ins';

const protocol = 'credentialprovider.kubelet.k8s.io';
/** Versions of what is said between kubelet and plug-in; they differ in name alone, but the first knows service accounts. */
const protocols = [`${protocol}/v1`, `${protocol}/v1beta1`, `${protocol}/v1alpha1`] as const;
const documents: readonly unknown[] = ['v1', 'v1beta1', 'v1alpha1'].map(
  (version) => `kubelet.config.k8s.io/${version}`,
);

const tokenFields = section({
  serviceAccountTokenAudience: text(),
  cacheType: optional(choice(['Token', 'ServiceAccount'], 'Token')),
  requireServiceAccount: optional(flag(false)),
  requiredServiceAccountAnnotationKeys: texts(),
  optionalServiceAccountAnnotationKeys: texts(),
});
const variableFields = section({ name: text(), value: text() });
const providerFields = section({
  name: text(),
  matchImages: texts(),
  defaultCacheDuration: optional(duration(0)),
  apiVersion: optional(choice(protocols, protocols[0])),
  args: texts(),
  env: objects(),
  tokenAttributes: optional(tokenFields),
});
const documentFields = section({ apiVersion: text(), kind: text(), providers: objects() });

type Decoded<F> = F extends FieldType<infer T> ? T : never;
/** One program that knows logins of registries (`CredentialProvider` of kubelet.config.k8s.io/v1); durations in milliseconds. */
export type PlugInConfiguration = Omit<Decoded<typeof providerFields>, 'env'> & {
  env: readonly Decoded<typeof variableFields>[];
};

/** All of them, and the hash of what was read, as upstream's figure shows it. */
export interface PlugInsConfiguration {
  providers: readonly PlugInConfiguration[];
  hash: string;
}

/**
 * Reads a CredentialProviderConfig, YAML or JSON; of a folder all of them, in the order of their names. Throws an error
 * that names every bad field; one that is not known is bad.
 */
export async function readPlugInConfiguration(path: string): Promise<PlugInsConfiguration> {
  const problems: string[] = [];
  const hash = createHash('sha256');
  const providers: PlugInConfiguration[] = [];
  for (const file of await filesAt(path)) {
    const bytes = await readFile(file);
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes.length));
    hash.update(length).update(bytes);
    const note = (at: string, what: string) => problems.push(`${file}: ${at}: ${what}`);
    try {
      providers.push(...decode(parse(bytes.toString('utf8'), goYaml), { error: note, warn: note }));
    } catch (error) {
      note('document', (error as Error).message);
    }
  }
  const names = providers.map(({ name }) => name);
  for (const name of new Set(names.filter((name, index) => names.indexOf(name) !== index)))
    problems.push(`providers: "${name}" is given twice`);
  if (providers.length === 0 && problems.length === 0) problems.push('providers: at least one is required');
  if (problems.length > 0) throw new ConfigurationError(problems, subject);
  return { providers, hash: `sha256:${hash.digest('hex')}` };
}

async function filesAt(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory() && /\.(json|ya?ml)$/.test(entry.name));
  if (files.length === 0)
    throw new ConfigurationError([`no configuration files found in directory "${path}"`], subject);
  return files.map(({ name }) => join(path, name)).sort();
}

function decode(document: unknown, report: FieldReport): PlugInConfiguration[] {
  if (!isMap(document) || document['kind'] !== 'CredentialProviderConfig')
    throw new Error('it is no CredentialProviderConfig');
  if (!documents.includes(document['apiVersion']))
    throw new Error(`its apiVersion is none of ${documents.join(', ')}`);
  return documentFields.decode(document, '', report).providers.map((given, index) => {
    const at = `providers[${index}]`;
    const provider = providerFields.decode(given, at, report);
    const env = provider.env.map((variable, place) =>
      variableFields.decode(variable, `${at}.env[${place}]`, report),
    );
    for (const [isBad, field, what] of complaints({ ...provider, env }))
      if (isBad) report.error(`${at}.${field}`, what);
    return { ...provider, env };
  });
}

/** As a label's or an annotation's key has to be. */
const keyPattern = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[a-z0-9]([-_.a-z0-9]{0,61}[a-z0-9])?$/i;

/** Upstream: pkg/credentialprovider/plugin validateCredentialProviderConfig. */
function complaints(provider: PlugInConfiguration): [isBad: boolean, field: string, what: string][] {
  const { name, matchImages, defaultCacheDuration, apiVersion, env } = provider;
  return [
    [['', '.', '..'].includes(name) || /[/\0 ]/.test(name), 'name', `"${name}" is no name of a program`],
    [matchImages.length === 0, 'matchImages', 'at least one is required'],
    [
      matchImages.some((image) => image === '' || /\s|:\/\//.test(image)),
      'matchImages',
      'one of them is no image without a scheme',
    ],
    [defaultCacheDuration === undefined, 'defaultCacheDuration', 'is required'],
    [(defaultCacheDuration ?? 0) < 0, 'defaultCacheDuration', 'must not be negative'],
    [apiVersion === undefined, 'apiVersion', `is required: ${protocols.join(', ')}`],
    [env.some((variable) => /^$|[=\0]/.test(variable.name)), 'env', 'one of them has no name of a variable'],
    ...tokenComplaints(provider),
  ];
}

function tokenComplaints({ tokenAttributes, apiVersion }: PlugInConfiguration): [boolean, string, string][] {
  if (!tokenAttributes) return [];
  const { cacheType, requireServiceAccount } = tokenAttributes;
  const required = tokenAttributes.requiredServiceAccountAnnotationKeys;
  const keys = [...required, ...tokenAttributes.optionalServiceAccountAnnotationKeys];
  const at = 'tokenAttributes';
  return [
    [apiVersion !== protocols[0], at, `is for ${protocols[0]} alone`],
    [tokenAttributes.serviceAccountTokenAudience === '', `${at}.serviceAccountTokenAudience`, 'is required'],
    [requireServiceAccount === undefined, `${at}.requireServiceAccount`, 'is required'],
    [cacheType === undefined, `${at}.cacheType`, 'is required: Token, ServiceAccount'],
    [
      requireServiceAccount === false && required.length > 0,
      `${at}.requiredServiceAccountAnnotationKeys`,
      'can not be required where no service account is',
    ],
    [
      keys.some((key) => !keyPattern.test(key)) || new Set(keys).size < keys.length,
      `${at}.requiredServiceAccountAnnotationKeys`,
      'a key of an annotation stands once, in one of the two lists',
    ],
  ];
}
