import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { test } from 'node:test';
import { Signal } from './generated/types.ts';
import { parseSignal, signalNumber, signalOfNumber } from './signals.ts';

test('a signal is read as images write it: by name with and without SIG, by offset in real time, by number', () => {
  const read = ['SIGTERM', 'term', '9', 'SIGRTMIN+3', 'RTMAX-1', 'SIGCLD'].map(parseSignal);
  assert.deepEqual(read, [15, 15, 9, 37, 63, 17]);
  assert.deepEqual(['SIGNOTHING', '0', '65', 'SIGRTMIN+31', ''].map(parseSignal), Array(5).fill(undefined));
});

test('names have the numbers that Node gives them on Linux', { skip: process.platform !== 'linux' }, () => {
  for (const [name, number] of Object.entries(constants.signals))
    assert.equal(parseSignal(name), number, name);
});

test("every signal of CRI's but its default has a number of Linux's, and names of one number come back as one", () => {
  const { SIGNAL_RUNTIME_DEFAULT, ...signals } = Signal;
  assert.equal(signalNumber(SIGNAL_RUNTIME_DEFAULT), undefined);
  for (const [name, signal] of Object.entries(signals)) {
    const number = signalNumber(signal);
    assert.ok(number !== undefined && number >= 1 && number <= 64, name);
    assert.equal(signalNumber(signalOfNumber(number)), number, name);
  }
  assert.equal(signalNumber(Signal.SIGNAL_SIGRTMINPLUS15), 49);
  assert.equal(signalNumber(Signal.SIGNAL_SIGRTMAXMINUS14), 50);
  assert.equal(signalOfNumber(17), Signal.SIGNAL_SIGCHLD);
  assert.equal(signalOfNumber(99), Signal.SIGNAL_RUNTIME_DEFAULT);
});
