import { ownValue } from '@wherry/kubeapi';
import { featureGates } from '../generated/upstream.ts';

/** What is so of a feature gate in this release of Kubernetes. */
export interface GateFacts {
  /** Whether it is on unless somebody says otherwise. */
  isOn: boolean;
  /** It can't be switched any more. */
  isLocked: boolean;
}

/** Of a gate of any component; undefined of one that there is not. */
export function gateFacts(name: string): GateFacts | undefined {
  const [, initial, locked] = ownValue(featureGates, name)?.split(' ') ?? [];
  return initial === undefined ? undefined : { isOn: initial === 'true', isLocked: locked !== undefined };
}

/**
 * What is wrong with setting a gate that nothing here switches; undefined when nothing is. Where upstream refuses, too, in its words
 * (component-base/featuregate), else in `cannot`, who can not switch what.
 */
export function gateProblem(
  name: string,
  value: boolean,
  { facts, cannot }: { facts: GateFacts | undefined; cannot: string },
): string | undefined {
  if (facts === undefined) return `unrecognized feature gate: ${name}`;
  const { isOn, isLocked } = facts;
  if (value === isOn) return undefined;
  if (isLocked) return `cannot set feature gate ${name} to ${value}, feature is locked to ${isOn}`;
  return `${cannot} to ${value}; leave it at its default, ${isOn}`;
}
