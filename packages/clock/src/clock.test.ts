import assert from 'node:assert/strict';
import { it } from 'node:test';
import { backoff } from './backoff.ts';
import { systemClock } from './clock.ts';
import { DeadlineError, deadline } from './deadline.ts';
import { FakeClock } from './fake-clock.ts';
import { longestTimeoutMs } from './longest-timeout.ts';
import { sleep } from './sleep.ts';

it('runs timers in the order of their time, and those they set', () => {
  const clock = new FakeClock();
  const fired: string[] = [];
  clock.after(20, () => fired.push(`late at ${clock.monotonicMs()}`));
  clock.after(10, () => {
    fired.push(`early at ${clock.monotonicMs()}`);
    clock.after(5, () => fired.push(`nested at ${clock.monotonicMs()}`));
  });
  clock.after(30, () => fired.push('never')).cancel();
  clock.advance(30);
  assert.deepEqual(fired, ['early at 10', 'nested at 15', 'late at 20']);
  assert.equal(clock.pendingTimers, 0);
});

it('moves the wall clock without running timers', () => {
  const clock = new FakeClock({ nowMs: 1000 });
  clock.after(10, () => assert.fail('a jump is not a passage of time'));
  clock.jumpWallClock(5000);
  assert.equal(clock.nowMs(), 6000);
  assert.equal(clock.monotonicMs(), 0);
});

it('lets continuations run between timers when advanced asynchronously', async () => {
  const clock = new FakeClock();
  const steps: number[] = [];
  const work = (async () => {
    for (let step = 0; step < 3; step++) {
      await sleep({ clock, delayMs: 10 });
      steps.push(clock.monotonicMs());
    }
  })();
  await clock.advanceAsync(30);
  await work;
  assert.deepEqual(steps, [10, 20, 30]);
});

it('sleeps until the signal and leaves no timer behind', async () => {
  const clock = new FakeClock();
  const controller = new AbortController();
  const sleeping = sleep({ clock, delayMs: 1000, signal: controller.signal });
  controller.abort(new Error('woken'));
  await assert.rejects(sleeping, /woken/);
  assert.equal(clock.pendingTimers, 0);
  await assert.rejects(sleep({ clock, delayMs: 1, signal: AbortSignal.abort(new Error('early')) }), /early/);
});

it('aborts at the deadline with an error that names the time and the thing', () => {
  const clock = new FakeClock();
  const limit = deadline({ clock, timeoutMs: 500, what: 'pull image' });
  clock.advance(499);
  assert.equal(limit.signal.aborted, false);
  clock.advance(1);
  assert.ok(limit.signal.reason instanceof DeadlineError);
  assert.equal(limit.signal.reason.message, 'pull image: not done within 500 ms');
});

it('follows the caller’s signal, and lets go on cleanup', () => {
  const clock = new FakeClock();
  const controller = new AbortController();
  {
    using limit = deadline({ clock, timeoutMs: 500, signal: controller.signal });
    controller.abort('stop');
    assert.equal(limit.signal.reason, 'stop');
  }
  assert.equal(clock.pendingTimers, 0);
  const early = deadline({ clock, timeoutMs: 500, signal: controller.signal });
  assert.equal(early.signal.reason, 'stop');
  early.cleanup();
  assert.equal(clock.pendingTimers, 0);
});

it('backs off exponentially up to the maximum and starts over', () => {
  const waits = backoff({ initialMs: 100, maxMs: 500, jitter: 0 });
  assert.deepEqual(
    [1, 2, 3, 4].map(() => waits.nextDelayMs()),
    [100, 200, 400, 500],
  );
  assert.equal(waits.attempts, 4);
  waits.reset();
  assert.equal(waits.nextDelayMs(), 100);
});

it('lengthens a delay by at most the jitter', () => {
  const waits = backoff({ initialMs: 100, maxMs: 100, jitter: 0.5, random: () => 0.999 });
  const delayMs = waits.nextDelayMs();
  assert.ok(delayMs > 149 && delayMs < 150, String(delayMs));
});

it('refuses a back-off that can’t work', () => {
  assert.throws(() => backoff({ initialMs: 0, maxMs: 1 }), RangeError);
  assert.throws(() => backoff({ initialMs: 2, maxMs: 1 }), RangeError);
  assert.throws(() => backoff({ initialMs: 1, maxMs: 1, factor: 0.5 }), RangeError);
});

it('waits longer than the machine’s timers can', async (context) => {
  const monthMs = 30 * 24 * 3_600_000;
  const early = [monthMs, Number.POSITIVE_INFINITY].map((delayMs) =>
    systemClock.after(delayMs, () => assert.fail(`${delayMs} ms are not over yet`)),
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const timer of early) timer.cancel();
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let fired = 0;
  systemClock.after(2 * longestTimeoutMs + 5, () => (fired += 1));
  const takenBack = systemClock.after(2 * longestTimeoutMs, () => assert.fail('it was taken back'));
  context.mock.timers.tick(longestTimeoutMs);
  takenBack.cancel();
  context.mock.timers.tick(longestTimeoutMs);
  context.mock.timers.tick(4);
  assert.equal(fired, 0);
  context.mock.timers.tick(1);
  assert.equal(fired, 1);
});

it('keeps the machine’s time without keeping the process alive', async () => {
  const before = systemClock.monotonicMs();
  const keepAlive = setInterval(() => {}, 1000);
  await sleep({ clock: systemClock, delayMs: 5 });
  clearInterval(keepAlive);
  assert.ok(systemClock.monotonicMs() - before >= 4);
});
