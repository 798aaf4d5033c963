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
