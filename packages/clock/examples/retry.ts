import { backoff, type Clock, deadline, FakeClock, sleep } from '@wherry/clock';

// Tries something until it works or the time is up, on whatever clock it is given.
async function dialUntil(clock: Clock, dial: (attempt: number) => boolean): Promise<string> {
  using limit = deadline({ clock, timeoutMs: 10_000, what: 'dial' });
  const waits = backoff({ initialMs: 1000, maxMs: 8000, jitter: 0 });
  while (!dial(waits.attempts + 1))
    await sleep({ clock, delayMs: waits.nextDelayMs(), signal: limit.signal });
  return `up after ${clock.monotonicMs()} ms`;
}

// Hours of it run at once in a test.
const clock = new FakeClock();
const lucky = dialUntil(clock, (attempt) => attempt === 3);
await clock.advanceAsync(10_000);
console.log(await lucky);

const unlucky = dialUntil(clock, () => false).catch((error) => error.message);
await clock.advanceAsync(10_000);
console.log(await unlucky);

// Prints:
// up after 3000 ms
// dial: not done within 10000 ms
