import type { CronJob, Deployment, Pod, PodTemplate, PodTemplateSpec } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';

/** Resources with a template of pods, by `group/plural`. */
const templates: ReadonlyMap<string, (object: ApiObject) => PodTemplateSpec | undefined> = new Map([
  ['/podtemplates', (object: ApiObject) => as<PodTemplate>(object).template],
  ['batch/cronjobs', (object: ApiObject) => as<CronJob>(object).spec?.jobTemplate?.spec?.template],
  ...[
    '/replicationcontrollers',
    ...['apps/deployments', 'apps/replicasets', 'apps/statefulsets', 'apps/daemonsets', 'batch/jobs'],
  ].map((name) => [name, (object: ApiObject) => as<Deployment>(object).spec?.template] as const),
]);

/** The pod that a workload would make; undefined for other resources and where it has no template. */
export function podOfWorkload(resource: string, object: ApiObject): Pod | undefined {
  const template = templates.get(resource)?.(object);
  if (!template?.spec) return undefined;
  return { metadata: template.metadata ?? {}, spec: template.spec } as Pod;
}

/** The resources that {@link podOfWorkload} knows. */
export const workloads: readonly string[] = [...templates.keys()];

/** True when an update changes what is checked: containers come, go, or get another image. */
export function isSignificant({ spec: next }: Pod, { spec: previous }: Pod): boolean {
  for (const kind of ['containers', 'initContainers'] as const) {
    const [after, before] = [next?.[kind] ?? [], previous?.[kind] ?? []];
    if (after.length !== before.length) return true;
    if (after.some(({ image }, index) => image !== before[index]?.image)) return true;
  }
  const before = previous?.ephemeralContainers ?? [];
  return (next?.ephemeralContainers ?? []).some(({ name, image }) => {
    const same = before.find((container) => container.name === name);
    return !same || same.image !== image;
  });
}
