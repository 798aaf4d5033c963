import { readFileSync } from 'node:fs';
import {
  dnsSubdomain,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
  parseText,
  withoutTrailing,
} from '@wherry/kubeapi';
import type { UserInfo } from '../authentication/identity.ts';
import { objectNameOf, type RequestInfo } from '../http/request-info.ts';
import { readingSettings, SettingsError } from '../settings-error.ts';

/** How much of a request is written down, from nothing to its answer. */
export const levels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type Level = (typeof levels)[number];

/** When. */
export const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type Stage = (typeof stages)[number];

/** What is written down of one request. */
export interface Ruling {
  level: Level;
  omitStages: ReadonlySet<Stage>;
  omitsManagedFields: boolean;
}

interface Rule extends Ruling {
  users: readonly string[];
  userGroups: readonly string[];
  verbs: readonly string[];
  namespaces: readonly string[];
  nonResourceUrls: readonly string[];
  resources: readonly GroupResources[];
}

interface GroupResources {
  group: string;
  resources: readonly string[];
  resourceNames: readonly string[];
}

/** What a `--audit-policy-file` (audit.k8s.io/v1 Policy) says: the first rule that is about a request counts. */
export class AuditPolicy {
  readonly #rules: readonly Rule[];
  readonly #otherwise: Ruling;

  constructor(rules: readonly Rule[], otherwise: Ruling) {
    this.#rules = rules;
    this.#otherwise = otherwise;
  }

  /** Throws an Error that names the file and the place of what it can't take. */
  static read(path: string): AuditPolicy {
    let text: Buffer;
    try {
      text = readFileSync(path);
    } catch (error) {
      throw new SettingsError(`the audit policy ${path} can't be read: ${(error as Error).message}`, {
        cause: error,
      });
    }
    const value = readingSettings(`the audit policy ${path}`, () => parseText(text, 'yaml'));
    return AuditPolicy.parse(value, path);
  }

  static parse(value: JsonValue, path: string): AuditPolicy {
    const reader = new PolicyReader(path);
    const file = reader.object('', value);
    reader.known('', file, ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields']);
    if (file['apiVersion'] !== 'audit.k8s.io/v1')
      throw reader.problem('apiVersion', file['apiVersion'], 'must be audit.k8s.io/v1');
    if (file['kind'] !== 'Policy') throw reader.problem('kind', file['kind'], 'must be Policy');
    const omitStages = reader.stages('omitStages', file['omitStages']);
    const omitsManagedFields = reader.flag('omitManagedFields', file['omitManagedFields']) ?? false;
    const otherwise = { level: 'None' as const, omitStages, omitsManagedFields };
    const rules = reader.list('rules', file['rules']);
    if (rules.length === 0) throw reader.problem('rules', rules, 'must have one rule at least');
    return new AuditPolicy(
      rules.map((rule, index) => readRule(reader, `rules[${index}]`, rule, otherwise)),
      otherwise,
    );
  }

  /** `user` is who was authenticated, whoever that one acts as; undefined: nobody was. */
  rulingFor(info: RequestInfo, user: UserInfo | undefined): Ruling {
    return this.#rules.find((rule) => isAbout(rule, info, user)) ?? this.#otherwise;
  }
}

function readRule(reader: PolicyReader, at: string, value: JsonValue, shared: Ruling): Rule {
  const rule = reader.object(at, value);
  reader.known(at, rule, [
    ...['level', 'users', 'userGroups', 'verbs', 'resources', 'namespaces', 'nonResourceURLs'],
    ...['omitStages', 'omitManagedFields'],
  ]);
  const texts = (name: string) => reader.texts(`${at}.${name}`, ownValue(rule, name));
  const level = levels.find((each) => each === rule['level']);
  if (!level) throw reader.problem(`${at}.level`, rule['level'], `must be one of ${levels.join(', ')}`);
  const nonResourceUrls = texts('nonResourceURLs');
  for (const [index, url] of nonResourceUrls.entries()) {
    const place = `${at}.nonResourceURLs[${index}]`;
    if (url !== '*' && !url.startsWith('/')) throw reader.problem(place, url, 'must begin with a /');
    if (url.slice(0, -1).includes('*'))
      throw reader.problem(place, url, 'may have a * as its last character only');
  }
  const resources = reader
    .list(`${at}.resources`, rule['resources'])
    .map((each, index) => readResources(reader, `${at}.resources[${index}]`, each));
  const namespaces = texts('namespaces');
  if (nonResourceUrls.length > 0 && resources.length + namespaces.length > 0)
    throw reader.problem(
      `${at}.nonResourceURLs`,
      nonResourceUrls,
      'no rule is about resources and other URLs',
    );
  const own = reader.stages(`${at}.omitStages`, rule['omitStages']);
  return {
    ...{ level, nonResourceUrls, resources, namespaces },
    ...{ users: texts('users'), userGroups: texts('userGroups'), verbs: texts('verbs') },
    omitStages: shared.omitStages.union(own),
    omitsManagedFields:
      reader.flag(`${at}.omitManagedFields`, rule['omitManagedFields']) ?? shared.omitsManagedFields,
  };
}

function readResources(reader: PolicyReader, at: string, value: JsonValue): GroupResources {
  const entry = reader.object(at, value);
  reader.known(at, entry, ['group', 'resources', 'resourceNames']);
  const { group = '' } = entry;
  if (typeof group !== 'string') throw reader.problem(`${at}.group`, group, 'must be a text');
  const complaints = group === '' || group === '*' ? [] : dnsSubdomain(group);
  if (complaints.length > 0) throw reader.problem(`${at}.group`, group, complaints.join(', '));
  const resources = reader.texts(`${at}.resources`, entry['resources']);
  const resourceNames = reader.texts(`${at}.resourceNames`, entry['resourceNames']);
  if (resourceNames.length > 0 && resources.length === 0)
    throw reader.problem(`${at}.resourceNames`, resourceNames, 'needs a resource');
  return { group, resources, resourceNames };
}
/** Says where in which file something is wrong. */
class PolicyReader {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  problem(at: string, value: unknown, why: string): SettingsError {
    const shown = value === undefined ? 'nothing' : JSON.stringify(value);
    return new SettingsError(
      `the audit policy ${this.#path}: ${at === '' ? 'the document' : at}: ${shown}: ${why}`,
    );
  }

  object(at: string, value: JsonValue): JsonObject {
    if (isJsonObject(value)) return value;
    throw this.problem(at, value, 'must be an object');
  }

  known(at: string, object: JsonObject, names: readonly string[]): void {
    const unknown = Object.keys(object).find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw this.problem(
        at === '' ? unknown : `${at}.${unknown}`,
        ownValue(object, unknown),
        'is not known here',
      );
  }

  list(at: string, value: JsonValue | undefined): readonly JsonValue[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    throw this.problem(at, value, 'must be a list');
  }

  texts(at: string, value: JsonValue | undefined): readonly string[] {
    return this.list(at, value).map((each, index) => {
      if (typeof each === 'string') return each;
      throw this.problem(`${at}[${index}]`, each, 'must be a text');
    });
  }

  stages(at: string, value: JsonValue | undefined): ReadonlySet<Stage> {
    const found = this.texts(at, value).map((text, index) => {
      const stage = stages.find((each) => each === text);
      if (!stage) throw this.problem(`${at}[${index}]`, text, `must be one of ${stages.join(', ')}`);
      return stage;
    });
    return new Set(found);
  }

  flag(at: string, value: JsonValue | undefined): boolean | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'boolean') return value;
    throw this.problem(at, value, 'must be true or false');
  }
}

function isAbout(rule: Rule, info: RequestInfo, user: UserInfo | undefined): boolean {
  const { users, userGroups, verbs, namespaces, resources, nonResourceUrls } = rule;
  if (users.length > 0 && !(user && users.includes(user.name))) return false;
  if (userGroups.length > 0 && !user?.groups.some((group) => userGroups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(info.verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) return isAboutResource(rule, info);
  if (nonResourceUrls.length === 0) return true;
  return !info.isResource && nonResourceUrls.some((url) => isPath(url, info.path));
}

function isPath(url: string, path: string): boolean {
  return url === '*' || url === path || (url.endsWith('*') && path.startsWith(withoutTrailing(url, '*')));
}

function isAboutResource({ namespaces, resources }: Rule, info: RequestInfo): boolean {
  if (!info.isResource) return false;
  if (namespaces.length > 0 && !namespaces.includes(info.namespace)) return false;
  return resources.length === 0 || resources.some((each) => isAmong(each, info));
}

/** A sub-resource is named `RESOURCE/PART`, with `*` on either side for any; `*` alone is everything. */
function isAmong(wanted: GroupResources, info: RequestInfo): boolean {
  const { group, resource, subresource } = info;
  const name = objectNameOf(info);
  if (wanted.group !== group && wanted.group !== '*') return false;
  if (wanted.resources.length === 0) return true;
  if (wanted.resourceNames.length > 0 && !wanted.resourceNames.includes(name)) return false;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const names = ['*', whole, `${resource}/*`, ...(subresource === '' ? [] : [`*/${subresource}`])];
  return wanted.resources.some((text) => names.includes(text));
}
