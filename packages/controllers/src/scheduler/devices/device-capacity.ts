import {
  type CapacityRequestPolicy,
  type Device,
  type DeviceCapacity,
  ownValue,
  parseQuantity,
  Quantity,
} from '@wherry/kubeapi/objects';
import type { Amounts } from './device-use.ts';

/**
 * What a request takes of each of a device's capacities, rounded up as its driver wants it; undefined where the device has
 * not enough beside what is `taken`, or has no such capacity.
 */
export function amountsTaken(
  { capacity = {} }: Device,
  requests: Readonly<Record<string, string>> = {},
  taken: Amounts,
): Map<string, Quantity> | undefined {
  if (Object.keys(requests).some((name) => !Object.hasOwn(capacity, name))) return undefined;
  const amounts = new Map<string, Quantity>();
  for (const [name, offered] of Object.entries(capacity)) {
    const amount = amountOf(ownValue(requests, name), offered);
    if (isAgainstPolicy(amount, offered.requestPolicy)) return undefined;
    const sum = taken.get(name)?.add(amount) ?? amount;
    if (sum.cmp(parseQuantity(offered.value)) > 0) return undefined;
    amounts.set(name, amount);
  }
  return amounts;
}

function amountOf(request: string | undefined, { value, requestPolicy }: DeviceCapacity): Quantity {
  if (request === undefined) return parseQuantity(requestPolicy?.default ?? value);
  const asked = parseQuantity(request);
  const { validRange, validValues } = requestPolicy ?? {};
  if (validRange) {
    const min = parseQuantity(validRange.min);
    if (asked.cmp(min) < 0) return min;
    if (validRange.step === undefined) return asked;
    const step = parseQuantity(validRange.step).value();
    const excess = (asked.value() - min.value()) % step;
    const rounded = asked.value() + (excess === 0n ? 0n : step - excess);
    return new Quantity(rounded * 1_000_000_000n, 'BinarySI');
  }
  const fitting = validValues?.map((each) => parseQuantity(each)).find((each) => asked.cmp(each) <= 0);
  return fitting ?? asked;
}

function isAgainstPolicy(amount: Quantity, policy: CapacityRequestPolicy | undefined): boolean {
  if (!policy || (policy.default !== undefined && amount.cmp(parseQuantity(policy.default)) === 0))
    return false;
  const { validRange, validValues = [] } = policy;
  if (validRange) {
    const { min, max, step } = validRange;
    if (max !== undefined && amount.cmp(parseQuantity(max)) > 0) return true;
    if (step === undefined) return false;
    return (amount.value() - parseQuantity(min).value()) % parseQuantity(step).value() !== 0n;
  }
  return validValues.length > 0 && !validValues.some((each) => amount.cmp(parseQuantity(each)) === 0);
}
