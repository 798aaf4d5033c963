import {
  child,
  type JsonObject,
  type JsonValue,
  joinFieldErrors,
  notFound,
  ownValue,
  type Pod,
  type Toleration,
  validateTolerations,
} from '@wherry/kubeapi';
import { qualityOfService, taintKeys } from '@wherry/podrules';
import { configurationDocument } from '../../documents/configuration-document.ts';
import { StrictReader } from '../../documents/strict-reader.ts';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, type AdmissionRequest, refused } from '../admission.ts';
import { naming, type PluginConfiguration } from '../plugin-configurations.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { coversToleration, mergeTolerations } from './merge-tolerations.ts';

const defaultsAnnotation = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const allowedAnnotation = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';

/** For namespaces that say nothing; no `allowed` allows all. */
interface Restriction {
  defaults: readonly Toleration[];
  allowed: readonly Toleration[];
}

/**
 * Pods tolerate what their namespace says, or the configuration, and no more than it allows; those that ask for something
 * of a processor or memory stay where there is little memory.
 */
export function podTolerationRestriction({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  let usual: Restriction = { defaults: [], allowed: [] };

  /** What an annotation of the namespace says; undefined where it has none. */
  function toldIn(request: AdmissionRequest, annotation: string): Toleration[] | undefined {
    const { metadata } = caches.namespaces.get(request.namespace) ?? {};
    if (!metadata) throw notFound({ group: '', resource: 'namespaces' }, request.namespace);
    const told = ownValue(metadata.annotations ?? {}, annotation);
    if (told === undefined) return undefined;
    if (told === '') return [];
    try {
      return readTolerations({ [annotation]: JSON.parse(told) as JsonValue }, '', annotation);
    } catch (error) {
      throw refused(request, `the namespace's annotation ${annotation}: ${(error as Error).message}`);
    }
  }

  function validate(request: AdmissionRequest): void {
    const { tolerations = [] } = as<Pod>(request.object!).spec ?? {};
    if (tolerations.length === 0) return;
    const told = toldIn(request, allowedAnnotation);
    const allowed = told ?? usual.allowed;
    const isAllowed = (each: Toleration) => allowed.some((wide) => coversToleration(wide, each));
    if (allowed.length === 0 || tolerations.every(isAllowed)) return;
    const what = 'pod tolerations (possibly merged with namespace default tolerations) conflict with its';
    throw refused(request, `${what} ${told ? 'namespace' : 'cluster'} whitelist`);
  }

  return {
    name: 'PodTolerationRestriction',
    isOffByDefault: true,
    handles: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods'] }],
    configure(given) {
      if (given) usual = readRestriction(given);
    },
    admit(request) {
      const pod = as<Pod>(request.object!);
      if (!pod.spec) return;
      const added =
        request.operation === 'CREATE' ? [...(toldIn(request, defaultsAnnotation) ?? usual.defaults)] : [];
      if (qualityOfService(pod) !== 'BestEffort')
        added.push({ key: taintKeys.memoryPressure, operator: 'Exists', effect: 'NoSchedule' });
      if (added.length > 0) pod.spec.tolerations = mergeTolerations(pod.spec.tolerations ?? [], added);
      validate(request);
    },
    validate,
  };
}

function readRestriction({ file, document }: PluginConfiguration): Restriction {
  return naming(file, () => {
    const root = configurationDocument(document, new StrictReader(), {
      kind: 'Configuration',
      apiVersions: ['podtolerationrestriction.admission.k8s.io/v1alpha1'],
      fields: ['default', 'whitelist'],
    });
    const defaults = readTolerations(root, '', 'default');
    const allowed = readTolerations(root, '', 'whitelist');
    const problems = [
      ...validateTolerations(defaults, 'default'),
      ...validateTolerations(allowed, 'whitelist'),
    ];
    if (problems.length > 0) throw new Error(joinFieldErrors(problems));
    return { defaults, allowed };
  });
}

const texts = ['key', 'operator', 'value', 'effect'] as const;

function readTolerations(object: JsonObject, path: string, name: string): Toleration[] {
  const reader = new StrictReader();
  return reader.list(object, path, name).map(([place, value]) => {
    const given = reader.object(place, value, [...texts, 'tolerationSeconds']);
    const { tolerationSeconds: seconds } = given;
    const read = texts.map((text) => [text, reader.text(child(place, text), given[text])] as const);
    return {
      ...Object.fromEntries(read.filter(([, text]) => text !== '')),
      ...((seconds ?? null) === null
        ? {}
        : { tolerationSeconds: reader.integer(child(place, 'tolerationSeconds'), seconds) }),
    };
  });
}
