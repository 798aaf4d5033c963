import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '../services/endpoints.ts';
import { keepOrder } from './elements.ts';

const endpoints = (text: string): Endpoint[] =>
  [...text].map((ip) => ({
    ...{ ip, port: 80, isLocal: true, isReady: true, isServingWhileTerminating: false },
    ...{ nodeHints: [], zoneHints: [] },
  }));

test('endpoints keep their numbers as others come and go', () => {
  const cases: [before: string, wanted: string, after: string][] = [
    ['', 'abc', 'abc'],
    ['abc', 'cba', 'abc'],
    ['abc', 'abcd', 'abcd'],
    ['abcd', 'bcd', 'dbc'],
    ['abcd', 'abc', 'abc'],
    ['abcd', 'bcde', 'ebcd'],
    ['abcd', 'd', 'd'],
    ['abcd', '', ''],
    ['abcd', 'xy', 'xy'],
  ];
  for (const [before, wanted, after] of cases) {
    const order = keepOrder(endpoints(before), endpoints(wanted));
    assert.equal(order.map(({ ip }) => ip).join(''), after, `${before} → ${wanted}`);
  }
});
