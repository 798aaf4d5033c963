import { canonicalQuantity, type Pod, type PodSpec, type RuntimeClass } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, type AdmissionRequest, refused } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { mergeTolerations } from './merge-tolerations.ts';

type Amounts = Readonly<Record<string, string>>;

/** Gives pods the overhead, node selector and tolerations of their runtime class, which must be there. */
export function runtimeClass({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  const classOf = (request: AdmissionRequest, { runtimeClassName: name }: PodSpec) => {
    if (name === undefined) return undefined;
    const found = caches.runtimeClasses.get(name);
    if (!found) throw refused(request, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
    return found;
  };
  return {
    name: 'RuntimeClass',
    handles: [{ operations: ['CREATE'], resources: ['/pods'] }],
    admit(request) {
      const { spec } = as<Pod>(request.object!);
      const found = spec && classOf(request, spec);
      if (!found) return;
      setOverhead(spec, found, request);
      setScheduling(spec, found, request);
    },
    validate(request) {
      const { spec = {} as PodSpec } = as<Pod>(request.object!);
      const overhead = classOf(request, spec)?.overhead;
      if (!overhead) {
        if (!spec.overhead) return;
        const why = 'Pod Overhead set without corresponding RuntimeClass defined Overhead';
        throw refused(request, `pod rejected: ${why}`);
      }
      if (!isSame(overhead.podFixed, spec.overhead)) throw otherOverhead(request);
    },
  };
}

function setOverhead(spec: PodSpec, { overhead }: RuntimeClass, request: AdmissionRequest): void {
  if (!overhead) return;
  const isGiven = Object.keys(spec.overhead ?? {}).length > 0;
  if (isGiven && !isSame(overhead.podFixed, spec.overhead)) throw otherOverhead(request);
  if (overhead.podFixed) spec.overhead = { ...overhead.podFixed };
}

function otherOverhead(request: AdmissionRequest): Error {
  return refused(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
}

function setScheduling(spec: PodSpec, { scheduling }: RuntimeClass, request: AdmissionRequest): void {
  if (!scheduling) return;
  const own = spec.nodeSelector ?? {};
  for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
    if (!Object.hasOwn(own, key) || own[key] === value) continue;
    const conflict = `runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`;
    throw refused(request, `conflict: ${conflict}`);
  }
  if (scheduling.nodeSelector) spec.nodeSelector = { ...own, ...scheduling.nodeSelector };
  const tolerations = mergeTolerations(spec.tolerations ?? [], scheduling.tolerations ?? []);
  if (tolerations.length > 0) spec.tolerations = tolerations;
}

/** The same amounts, however they are written. */
function isSame(left: Amounts = {}, right: Amounts = {}): boolean {
  const others = new Map(Object.entries(right));
  const amounts = Object.entries(left);
  if (amounts.length !== others.size) return false;
  return amounts.every(([name, amount]) => {
    const other = others.get(name);
    return other !== undefined && canonicalQuantity(amount) === canonicalQuantity(other);
  });
}
