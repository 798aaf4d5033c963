import { ownValue } from '@wherry/kubeapi';
import { type FieldType, isMap } from './field-types.ts';
import { gateFacts, gateProblem } from './gate-facts.ts';

/** What a configuration says of gates; those that it leaves out are at their defaults. */
export type Gates = Readonly<Record<string, boolean>>;

/** Gates that this kubelet can switch. The others stay at what they are in this release of Kubernetes. */
const switchable = [
  'PodLogsQuerySplitStreams',
  'KubeletPodResourcesListUseActivePods',
  'GracefulNodeShutdown',
  'GracefulNodeShutdownBasedOnPodPriority',
  'CPUManagerPolicyAlphaOptions',
  'CPUManagerPolicyBetaOptions',
  'ContainerCheckpoint',
] as const;

/** Whether a gate is on that this kubelet can switch. */
export const isGateOn = (gates: Gates, name: (typeof switchable)[number]): boolean =>
  ownValue(gates, name) ?? gateFacts(name)?.isOn === true;

/** What is wrong with setting a gate; undefined when nothing is. */
function problemOf(name: string, value: boolean): string | undefined {
  if (switchable.some((known) => known === name)) return undefined;
  return gateProblem(name, value, { facts: gateFacts(name), cannot: 'this kubelet can not switch it' });
}

/** The field `featureGates`: every gate must be known, and at its default unless it can be switched here. */
export function gateMap(): FieldType<Gates> {
  const refused = 'unknown gates; known ones at another value than their default, except ';
  return {
    initial: {},
    claim: {
      refused: [
        {
          values: `${refused}${switchable.map((name) => `\`${name}\``).join(', ')}`,
          why: 'this kubelet does what the defaults say as far as these tables go, and has no other switch',
        },
      ],
    },
    encode: (value) => value,
    decode(value, path, report) {
      if (!isMap(value)) {
        report.error(path, `${JSON.stringify(value)} is not a map of true and false`);
        return {};
      }
      for (const [name, state] of Object.entries(value)) {
        const isSwitch = typeof state === 'boolean';
        const problem = isSwitch ? problemOf(name, state) : `${JSON.stringify(state)} is not true or false`;
        if (problem) report.error(`${path}.${name}`, problem);
      }
      return value as Gates;
    },
  };
}
