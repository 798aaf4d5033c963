import {
  child,
  type FieldError,
  invalidValue,
  joinFieldErrors,
  notSupported,
  ownValue,
} from '@wherry/kubeapi';
import { configurationDocument } from '../../documents/configuration-document.ts';
import { StrictReader } from '../../documents/strict-reader.ts';
import { naming, type PluginConfiguration } from '../plugin-configurations.ts';

const types = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;
const cacheSizeDefault = 4096;

/** What of events has a rate of its own. */
export type LimitType = (typeof types)[number];

/** How fast events may come. */
export interface RateLimit {
  type: LimitType;
  /** Above 0. */
  perSecond: number;
  /** So many at once. Above 0. */
  burst: number;
  /** So many namespaces, users or sources are remembered. */
  bucketsMax: number;
}

/** The limits of a Configuration (eventratelimit.admission.k8s.io/v1alpha1). Throws an Error where it is none, and on none. */
export function readRateLimits(given: PluginConfiguration | undefined): RateLimit[] {
  if (!given) throw new Error(joinFieldErrors([noLimits]));
  const reader = new StrictReader();
  return naming(given.file, () => {
    const root = configurationDocument(given.document, reader, {
      kind: 'Configuration',
      apiVersions: ['eventratelimit.admission.k8s.io/v1alpha1'],
      fields: ['limits'],
    });
    const problems: FieldError[] = [];
    const limits = reader.list(root, '', 'limits').flatMap(([place, value]) => {
      const limit = reader.object(place, value, ['type', 'qps', 'burst', 'cacheSize']);
      const told = reader.text(child(place, 'type'), limit['type']);
      const type = types.find((known) => known === told);
      if (type === undefined) problems.push(notSupported(child(place, 'type'), told, types));
      const numberOf = (name: string) => reader.integer(child(place, name), ownValue(limit, name));
      const [burst, perSecond, cacheSize] = [numberOf('burst'), numberOf('qps'), numberOf('cacheSize')];
      if (burst <= 0) problems.push(invalidValue(child(place, 'burst'), burst, 'must be positive'));
      if (perSecond <= 0) problems.push(invalidValue(child(place, 'qps'), perSecond, 'must be positive'));
      if (cacheSize < 0 && type !== 'Server')
        problems.push(invalidValue(child(place, 'cacheSize'), cacheSize, 'must not be negative'));
      const bucketsMax = type === 'Server' ? 1 : cacheSize || cacheSizeDefault;
      return type === undefined ? [] : [{ type, perSecond, burst, bucketsMax }];
    });
    if (limits.length === 0 && problems.length === 0) problems.push(noLimits);
    if (problems.length > 0) throw new Error(joinFieldErrors(problems));
    return limits;
  });
}

const noLimits = invalidValue('limits', [], 'must not be empty');
