export { type Backoff, type BackoffOptions, backoff } from './backoff.ts';
export type { Clock, Timer } from './clock.ts';
export { systemClock } from './clock.ts';
export { type Deadline, DeadlineError, type DeadlineOptions, deadline } from './deadline.ts';
export { FakeClock, type FakeClockOptions } from './fake-clock.ts';
export { keepAlive } from './keep-alive.ts';
export { RateBucket, type RateBucketOptions } from './rate-bucket.ts';
export { type SleepOptions, sleep } from './sleep.ts';
export { type TryAgainOptions, tryAgain } from './try-again.ts';
