import type { Node, Pod } from '@wherry/kubeapi';
import { type Amounts, addAmounts, amountsOf, type Quantity } from '@wherry/kubeapi/objects';
import { podAmounts } from '@wherry/podrules';
import { columns, field, indented, type Lines } from '../text/lines.ts';
import { since } from '../text/times.ts';
import { sortedBy } from '../text/values.ts';
import { amountsTaken } from './pod-amounts.ts';

const standard = ['cpu', 'memory', 'ephemeral-storage'];
const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/** What each pod takes of a node, and what all of them do. */
export function nodeResourceLines({ status }: Node, pods: readonly Pod[]): Lines {
  const { capacity, allocatable } = status ?? {};
  const hasAllocatable = Object.keys(allocatable ?? {}).length > 0;
  const room = amountsOf(hasAllocatable ? allocatable : capacity);
  return [...podTable(pods, room), ...totalTable(pods, room)];
}

function podTable(pods: readonly Pod[], room: Amounts): Lines {
  const titles = [
    ...['Namespace', 'Name', ''],
    ...['CPU Requests', 'CPU Limits', 'Memory Requests', 'Memory Limits', 'Age'],
  ];
  const rows = pods.map((pod) => {
    const [requests, limits] = [amountsTaken(pod, 'requests'), amountsTaken(pod, 'limits')];
    const shares = ['cpu', 'memory'].flatMap((name) =>
      [requests, limits].map((amounts) => shareText(name, amounts, room)),
    );
    const { namespace, name, creationTimestamp } = pod.metadata;
    return [namespace, name, '', ...shares, since(creationTimestamp)];
  });
  return [field('Non-terminated Pods', `(${pods.length} in total)`), ...indented(columns(titles, rows))];
}

function totalTable(pods: readonly Pod[], room: Amounts): Lines {
  const total = (side: 'requests' | 'limits') =>
    pods.reduce((sum, pod) => addAmounts(sum, podAmounts(pod, side)), new Map<string, Quantity>());
  const [requests, limits] = [total('requests'), total('limits')];
  const names = sortedBy([...room.keys()], (name) => name);
  const others = names.filter((name) => !standard.includes(name) && !isHugePages(name) && name !== 'pods');
  const rows = [
    ...[...standard, ...names.filter(isHugePages)].map((name) => [
      ...[name, shareText(name, requests, room), shareText(name, limits, room)],
    ]),
    ...others.map((name) => [name, amountText(requests.get(name)), amountText(limits.get(name))]),
  ];
  return [
    'Allocated resources:',
    ...indented([
      '(Total limits may be over 100 percent, i.e., overcommitted.)',
      ...columns(['Resource', 'Requests', 'Limits'], rows),
    ]),
  ];
}

const amountText = (amount: Quantity | undefined): string => amount?.toString() ?? '0';

/** An amount, and how many hundredths of what there is it takes. */
function shareText(name: string, amounts: Amounts, room: Amounts): string {
  const amount = amounts.get(name);
  const [part, all] = [amount, room.get(name)].map((one) =>
    Number((name === 'cpu' ? one?.milliValue() : one?.value()) ?? 0),
  );
  const share = all ? Math.trunc(((part ?? 0) / all) * 100) : 0;
  return `${amountText(amount)} (${share}%)`;
}
