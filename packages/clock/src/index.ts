export type { Clock, Timer } from './clock.ts';
export { systemClock } from './clock.ts';
