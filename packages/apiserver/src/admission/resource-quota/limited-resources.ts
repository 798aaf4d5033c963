import {
  child,
  type JsonValue,
  joinFieldErrors,
  required,
  type ScopedResourceSelectorRequirement,
} from '@wherry/kubeapi';
import { type QuotaMeasure, scopesOf } from '@wherry/podrules';
import { configurationDocument, configVersions } from '../../documents/configuration-document.ts';
import { StrictReader } from '../../documents/strict-reader.ts';
import { type AdmissionRequest, refused } from '../admission.ts';
import { naming, type PluginConfiguration } from '../plugin-configurations.ts';
import { boundNames, type ChargeMeans, concerns, noAmount } from './charges.ts';

/** What nobody may take without a quota that bounds it. */
export interface LimitedResource {
  group: string;
  plural: string;
  /** Parts of names of what is taken. */
  contains: readonly string[];
  /** What objects of whichever resource must be in none of, unless a quota is for the same scope. */
  scopes: readonly ScopedResourceSelectorRequirement[];
}

const legacyVersions = ['v1beta1', 'v1alpha1'].map((version) => `resourcequota.admission.k8s.io/${version}`);

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;
const scopeNames = [
  ...(['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort'] as const),
  ...(['PriorityClass', 'CrossNamespacePodAffinity', 'VolumeAttributesClass'] as const),
];

function oneOf<T extends string>(path: string, value: JsonValue | undefined, known: readonly T[]): T {
  const found = known.find((each) => each === value);
  if (found === undefined) throw new Error(`${path} must be one of ${known.join(', ')}`);
  return found;
}

/** Of a ResourceQuotaConfiguration (apiserver.config.k8s.io/v1), or of a Configuration as it was before. */
export function readLimitedResources(given: PluginConfiguration | undefined): LimitedResource[] {
  if (!given) return [];
  const reader = new StrictReader();
  return naming(given.file, () => {
    const isLegacy = (given.document as { kind?: unknown } | null)?.kind === 'Configuration';
    const root = configurationDocument(given.document, reader, {
      kind: isLegacy ? 'Configuration' : 'ResourceQuotaConfiguration',
      apiVersions: isLegacy ? legacyVersions : configVersions('v1'),
      fields: ['limitedResources'],
    });
    return reader.list(root, '', 'limitedResources').map(([place, value]) => {
      const known = ['apiGroup', 'resource', 'matchContains', 'matchScopes'];
      const rule = reader.object(place, value, known);
      const plural = reader.text(child(place, 'resource'), rule['resource']);
      if (plural === '') throw new Error(joinFieldErrors([required(child(place, 'resource'))]));
      return {
        group: reader.text(child(place, 'apiGroup'), rule['apiGroup']),
        plural,
        contains: reader.list(rule, place, 'matchContains').map(([at, text]) => reader.text(at, text)),
        scopes: reader.list(rule, place, 'matchScopes').map(([at, scope]) => {
          const { scopeName, operator, values } = reader.object(at, scope, [
            'scopeName',
            'operator',
            'values',
          ]);
          return {
            scopeName: oneOf(child(at, 'scopeName'), scopeName, scopeNames),
            operator: oneOf(child(at, 'operator'), operator, operators),
            values: reader
              .list({ values: values ?? [] }, at, 'values')
              .map(([of, text]) => reader.text(of, text)),
          };
        }),
      };
    });
  });
}

/** Throws 403 where something that is limited is taken, and no quota of the namespace bounds it. */
export function requireQuotas(
  limited: readonly LimitedResource[],
  request: AdmissionRequest,
  measure: QuotaMeasure,
  { quotas: all, nowMs, view }: ChargeMeans,
): void {
  const { object, previous, resource } = request;
  const isIn = (scope: ScopedResourceSelectorRequirement) => measure.isInScope?.(scope, object!) === true;
  const quotas = [...all];
  const concerned = quotas.filter((quota) => concerns(quota, { measure, view }, object!));
  const usage = measure.usage(object!, nowMs, view);
  const before = previous && measure.usage(previous, nowMs, view);
  const isMore = [...usage].some(([name, amount]) => amount.cmp(before?.get(name) ?? noAmount) > 0);
  const isNew = previous && concerned.some((quota) => !concerns(quota, { measure, view }, previous));
  if (!isMore && !isNew) return;
  const bound = new Set(concerned.flatMap((quota) => boundNames(quota, { measure, view })));
  const own = limited.filter(({ group, plural }) => group === resource.group && plural === resource.plural);
  const isLimited = (name: string) =>
    own.some(({ contains }) => contains.some((part) => name.includes(part)));
  const missing = [...usage]
    .filter(([name, amount]) => amount.sign() > 0 && isLimited(name) && !bound.has(name))
    .map(([name]) => name);
  if (missing.length > 0)
    throw refused(request, `insufficient quota to consume: ${missing.sort().join(',')}`);
  const covered = new Set(
    quotas
      .flatMap(scopesOf)
      .filter(isIn)
      .map(({ scopeName }) => scopeName),
  );
  const uncovered = limited
    .flatMap(({ scopes }) => scopes)
    .filter((scope) => isIn(scope) && !covered.has(scope.scopeName));
  if (uncovered.length === 0) return;
  const shown = uncovered.map(
    ({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(' ')}]}`,
  );
  throw refused(request, `insufficient quota to match these scopes: [${shown.join(' ')}]`);
}
