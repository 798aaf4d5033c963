/** Labels of nodes that Kubernetes has given up, and what whoever names one is told (upstream: pkg/api/node/util.go). */
import { at, child, type FieldPath } from '../../status/field-error.ts';

const zoneAndRegion = ['region', 'zone'].map(
  (name) =>
    [
      `failure-domain.beta.kubernetes.io/${name}`,
      `deprecated since v1.17; use "topology.kubernetes.io/${name}" instead`,
    ] as const,
);

const advice: ReadonlyMap<string, string> = new Map([
  ...zoneAndRegion,
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    'beta.kubernetes.io/instance-type',
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  [
    'scheduler.alpha.kubernetes.io/preferAvoidPods',
    'deprecated since v1.22; use Taints and Tolerations instead',
  ],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** What is to be said of a label; undefined for one that is in use. */
export const nodeLabelAdvice = (label: string): string | undefined => advice.get(label);

/** Warnings of labels that a term selects by. */
export function selectorTermWarnings(
  { matchExpressions = [] }: { matchExpressions?: readonly { key: string }[] },
  path: FieldPath,
): string[] {
  return matchExpressions.flatMap(({ key }, index) => {
    const said = nodeLabelAdvice(key);
    return said ? [`${child(at(child(path, 'matchExpressions'), index), 'key')}: ${key} is ${said}`] : [];
  });
}
