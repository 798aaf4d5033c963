import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import { forLogs, forSessions } from './pod-order.ts';

const time = (minute: number) => `2026-01-01T00:0${minute}:00Z`;

interface Given {
  nodeName?: string;
  phase?: string;
  readyAt?: number;
  isGoing?: boolean;
  restartCount?: number;
  besideCount?: number;
  madeAt?: number;
}

const podOf = (name: string, given: Given): Pod =>
  ({
    metadata: {
      name,
      creationTimestamp: time(given.madeAt ?? 0),
      ...(given.isGoing && { deletionTimestamp: time(9) }),
    },
    spec: {
      nodeName: given.nodeName ?? 'n',
      containers: [{ name: 'c' }],
      initContainers: [{ name: 'beside', restartPolicy: 'Always' }, { name: 'before' }],
    },
    status: {
      phase: given.phase ?? 'Running',
      conditions:
        given.readyAt === undefined
          ? []
          : [{ type: 'Ready', status: 'True', lastTransitionTime: time(given.readyAt) }],
      containerStatuses: [{ name: 'c', restartCount: given.restartCount ?? 0 }],
      initContainerStatuses: [
        { name: 'beside', restartCount: given.besideCount ?? 0 },
        { name: 'before', restartCount: 9 },
      ],
    },
  }) as unknown as Pod;

/** Names in their order, of pods that are given the other way round. */
const sorted = (given: Record<string, Given>, order: (one: Pod, other: Pod) => number): string[] =>
  Object.entries(given)
    .map(([name, one]) => podOf(name, one))
    .reverse()
    .sort(order)
    .map(({ metadata }) => metadata.name ?? '');

const both: Record<string, Given>[] = [
  { assigned: {}, unassigned: { nodeName: '' } },
  { running: {}, unknown: { phase: 'Unknown' }, pending: { phase: 'Pending' } },
  { ready: { readyAt: 5, madeAt: 5 }, not: { madeAt: 1 } },
  { long: { readyAt: 1, madeAt: 5 }, short: { readyAt: 2, madeAt: 1 } },
  { old: { madeAt: 1 }, young: { madeAt: 2 } },
];

test('of pods behind a name the one on a node comes first, that runs, is ready, for the longest time, and the oldest', () => {
  for (const given of both)
    for (const order of [forSessions, forLogs])
      assert.deepEqual(sorted(given, order), Object.keys(given), order.name);
});

const bySessions: Record<string, Given>[] = [
  { stays: { readyAt: 2 }, goes: { readyAt: 1, isGoing: true } },
  { few: { restartCount: 1 }, many: { restartCount: 2 } },
  { few: { besideCount: 1 }, many: { besideCount: 2 } },
];
const byLogs: Record<string, Given>[] = [
  { goes: { readyAt: 1, isGoing: true }, stays: { readyAt: 2 } },
  { many: { restartCount: 2 }, few: { restartCount: 1 } },
  { many: { besideCount: 2 }, few: { besideCount: 1 } },
];

test('a session goes to a pod that stays, and to the one with the fewest restarts', () => {
  for (const given of bySessions) assert.deepEqual(sorted(given, forSessions), Object.keys(given));
});

test('a log is that of the pod with the most restarts, which may be on its way out', () => {
  for (const given of byLogs) assert.deepEqual(sorted(given, forLogs), Object.keys(given));
});
