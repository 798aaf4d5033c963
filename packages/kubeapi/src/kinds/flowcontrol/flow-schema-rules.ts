/** Violations in what says which requests belong to a level (upstream: pkg/apis/flowcontrol/validation). */
import type {
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from '../../generated/types.ts';
import { type JsonValue, jsonEqual } from '../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { mandatoryFlowSchemas } from './mandatory-objects.ts';
import { subjectErrors } from './subject-rules.ts';

const precedenceMax = 10_000;
const methods = ['ByNamespace', 'ByUser'];
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** Violations in a schema, its status apart. */
export function flowSchemaErrors({ metadata, spec }: FlowSchema): FieldError[] {
  const { matchingPrecedence: precedence = 0, distinguisherMethod, rules = [] } = spec;
  const level = spec.priorityLevelConfiguration?.name ?? '';
  const precedenceIs = (detail: string) => invalidValue('spec.matchingPrecedence', precedence, detail);
  const levelName = 'spec.priorityLevelConfiguration.name';
  const fixed = mandatoryFlowSchemas.find((each) => each.metadata.name === metadata.name);
  return [
    ...(precedence <= 0 ? [precedenceIs('must be a positive value')] : []),
    ...(precedence > precedenceMax ? [precedenceIs(`must not be greater than ${precedenceMax}`)] : []),
    ...(precedence === 1 && metadata.name !== 'exempt'
      ? [precedenceIs("only the schema named 'exempt' may have matchingPrecedence 1")]
      : []),
    ...(distinguisherMethod && !methods.includes(distinguisherMethod.type)
      ? [notSupported('spec.distinguisherMethod.type', { ...distinguisherMethod }, methods)]
      : []),
    ...(level === ''
      ? [required(levelName, 'must reference a priority level')]
      : check(levelName, level, dnsSubdomain)),
    ...rules.flatMap((rule, index) => ruleErrors(rule, at('spec.rules', index))),
    ...(fixed && !jsonEqual(asJson(fixed.spec), asJson(spec))
      ? [invalidValue('spec', asJson(spec), `spec of '${metadata.name}' must equal the fixed value`)]
      : []),
  ];
}

function ruleErrors(
  { subjects = [], resourceRules = [], nonResourceRules = [] }: PolicyRulesWithSubjects,
  place: FieldPath,
): FieldError[] {
  const each = <T>(list: readonly T[], name: string, errorsOf: (item: T, path: FieldPath) => FieldError[]) =>
    list.flatMap((item, index) => errorsOf(item, at(child(place, name), index)));
  return [
    ...(subjects.length === 0
      ? [required(child(place, 'subjects'), 'subjects must contain at least one value')]
      : each(subjects, 'subjects', subjectErrors)),
    ...(resourceRules.length + nonResourceRules.length === 0
      ? [required(place, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...each(resourceRules, 'resourceRules', resourceRuleErrors),
    ...each(nonResourceRules, 'nonResourceRules', nonResourceRuleErrors),
  ];
}

function resourceRuleErrors(rule: ResourcePolicyRule, place: FieldPath): FieldError[] {
  const { apiGroups = [], resources = [], namespaces = [] } = rule;
  const field = (name: string) => child(place, name);
  const nameless = 'resource rules that are not cluster scoped must supply at least one namespace';
  const eachIs = "each member of this list must be '*' or a DNS-1123 label; ";
  return [
    ...verbErrors(rule.verbs, field('verbs')),
    ...listErrors(apiGroups, field('apiGroups'), [
      'resource rules must supply at least one api group',
      'api groups',
    ]),
    ...listErrors(resources, field('resources'), [
      'resource rules must supply at least one resource',
      'resources',
    ]),
    ...(namespaces.length === 0 && !rule.clusterScope ? [required(field('namespaces'), nameless)] : []),
    ...(namespaces.includes('*')
      ? aloneErrors(namespaces, field('namespaces'), 'namespaces')
      : namespaces.flatMap((name, index) =>
          dnsLabel(name).map((detail) =>
            invalidValue(at(field('namespaces'), index), name, `${eachIs}${detail}`),
          ),
        )),
  ];
}

function nonResourceRuleErrors(rule: NonResourcePolicyRule, place: FieldPath): FieldError[] {
  const field = child(place, 'nonResourceURLs');
  const { nonResourceURLs: urls = [] } = rule;
  return [
    ...verbErrors(rule.verbs, child(place, 'verbs')),
    ...(urls.length === 0 || urls.includes('*')
      ? listErrors(urls, field, ['nonResourceURLs must contain at least one value', 'non-resource URLs'])
      : urls.flatMap((url, index) => urlErrors(url, at(field, index)))),
  ];
}

function verbErrors(given: readonly string[] = [], place: FieldPath): FieldError[] {
  if (given.length === 0 || given.includes('*'))
    return listErrors(given, place, ['verbs must contain at least one value', 'verbs']);
  return given.every((verb) => verbs.includes(verb)) ? [] : [notSupported(place, [...given], verbs)];
}

function listErrors(
  list: readonly string[],
  place: FieldPath,
  [whenEmpty, others]: [whenEmpty: string, others: string],
): FieldError[] {
  return list.length === 0 ? [required(place, whenEmpty)] : aloneErrors(list, place, others);
}

/** What stands for all stands alone. */
function aloneErrors(list: readonly string[], place: FieldPath, others: string): FieldError[] {
  if (list.length < 2 || !list.includes('*')) return [];
  return [invalidValue(place, [...list], `if '*' is present, must not specify other ${others}`)];
}

function urlErrors(url: string, place: FieldPath): FieldError[] {
  const complaint = urlComplaint(url);
  return complaint === undefined ? [] : [invalidValue(place, url, complaint)];
}

function urlComplaint(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const stars = url.split('*').length - 1;
  return stars > 1 || (stars === 1 && !url.endsWith('/*'))
    ? 'wildcard can only do suffix matching'
    : undefined;
}

const asJson = (spec: object) => spec as unknown as JsonValue;
