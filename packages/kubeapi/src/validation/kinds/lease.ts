/** Violations in leases (upstream: pkg/apis/coordination/validation). */
import { child, type FieldError, forbiddenField, invalidValue, notSupported } from '../../field-error.ts';
import type { Lease } from '../../generated/types.ts';
import { qualifiedName } from '../formats.ts';
import { check, nonNegative } from '../metadata.ts';

const strategies = ['OldestEmulationVersion'];

/** Violations in a lease. */
export function validateLease({ spec }: Lease): FieldError[] {
  const { leaseDurationSeconds: seconds, leaseTransitions, strategy, preferredHolder } = spec;
  const isLong = seconds === undefined || seconds > 0;
  return [
    ...(isLong ? [] : [invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]),
    ...nonNegative('spec.leaseTransitions', leaseTransitions),
    ...(strategy === undefined ? [] : validateStrategy(strategy)),
    ...(preferredHolder && !strategy
      ? [forbiddenField('spec.preferredHolder', 'may only be specified if `strategy` is defined')]
      : []),
  ];
}

function validateStrategy(strategy: string): FieldError[] {
  const field = 'spec.strategy';
  if (strategy.includes('/')) return check(field, strategy, qualifiedName);
  return strategies.includes(strategy) ? [] : [notSupported(child(field, 'strategy'), strategy, strategies)];
}
