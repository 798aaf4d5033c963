import { type Container, ownValue, parseQuantity, type ResourceFieldSelector } from '@wherry/kubeapi';

const pattern = /^(limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-.*)$/s;

/** What a container itself asks for, in units of the divisor, rounded up; undefined for what no variable tells. */
export function resourceValue(
  { resource, divisor = '0' }: ResourceFieldSelector,
  { resources }: Container,
): string | undefined {
  const [, side, name = ''] = pattern.exec(resource) ?? [];
  if (side === undefined) return undefined;
  const amounts = side === 'limits' ? resources?.limits : resources?.requests;
  const amount = parseQuantity(ownValue(amounts, name) ?? '0');
  const given = parseQuantity(divisor);
  const unit = given.sign() === 0 ? parseQuantity('1') : given;
  const [dividend, by] =
    name === 'cpu' ? [amount.milliValue(), unit.milliValue()] : [amount.value(), unit.value()];
  return String(Math.ceil(Number(dividend) / Number(by)));
}
