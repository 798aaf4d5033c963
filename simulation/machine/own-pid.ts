import { runningParticipant } from './participant.ts';

const { pid } = process;

/** From now on `process.pid` is, in a simulated process, its own. */
export function giveOwnPids(): void {
  Object.defineProperty(process, 'pid', {
    configurable: true,
    enumerable: true,
    get: () => runningParticipant()?.process.pid ?? pid,
  });
}
