import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PodSignals } from './pod-signals.ts';

test('a signal has reached everybody, in the order in which they came, when it is given', () => {
  const signals = new PodSignals();
  const heard: string[] = [];
  signals.listen({ probeTurned: (uid) => heard.push(`first ${uid}`) });
  signals.listen({
    probeTurned: (uid) => heard.push(`second ${uid}`),
    objectChanged: () => heard.push('object'),
  });
  signals.probeTurned('a');
  assert.deepEqual(heard, ['first a', 'second a']);
});

test('a signal that is given while another is told waits for it, once of each kind and pod', () => {
  const signals = new PodSignals();
  const heard: string[] = [];
  signals.listen({
    relisted: () => {
      for (const uid of ['a', 'b', 'a']) signals.objectChanged(uid);
      heard.push('relisted');
    },
    objectChanged: (uid) => heard.push(uid),
  });
  signals.listen({ relisted: () => heard.push('relisted, the second') });
  signals.relisted(['a', 'b']);
  assert.deepEqual(heard, ['relisted', 'relisted, the second', 'a', 'b']);
});

test('of changes that wait, the latest counts; one of an unknown time is later than all', () => {
  const signals = new PodSignals();
  const heard: unknown[] = [];
  signals.listen({
    relisted: () => {
      signals.podChanged('a', 2);
      signals.podChanged('a', 1);
      signals.podChanged('b');
      signals.podChanged('b', 3);
    },
    podChanged: (uid, changedAtMs) => heard.push([uid, changedAtMs]),
  });
  signals.relisted([]);
  assert.deepEqual(heard, [
    ['a', 2],
    ['b', Number.POSITIVE_INFINITY],
  ]);
});

test('a listener that throws keeps nobody from later signals', () => {
  const signals = new PodSignals();
  const heard: string[] = [];
  signals.listen({
    probeTurned: (uid) => {
      if (uid === 'bad') throw new Error('broken');
      heard.push(uid);
    },
  });
  assert.throws(() => signals.probeTurned('bad'), /broken/);
  signals.probeTurned('good');
  assert.deepEqual(heard, ['good']);
});
