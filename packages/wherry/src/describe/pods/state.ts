import type { ContainerState, ContainerStatus } from '@wherry/kubeapi';
import { field, given, indented, type Lines, yesNo } from '../text/lines.ts';
import { clockTime } from '../text/times.ts';

/** What a container does, did before, and how often it was started again. */
export const stateLines = ({ state = {}, lastState, ready, restartCount = 0 }: ContainerStatus): Lines => [
  ...oneState('State', state),
  ...(lastState?.terminated ? oneState('Last State', lastState) : []),
  field('Ready', yesNo(ready)),
  field('Restart Count', restartCount),
];

function oneState(title: string, { running, waiting, terminated }: ContainerState): Lines {
  const told = (what: string, details: Lines): Lines => [field(title, what), ...indented(details)];
  if (running) return told('Running', [field('Started', clockTime(running.startedAt))]);
  if (waiting || !terminated) return told('Waiting', given('Reason', waiting?.reason));
  const { reason, message, exitCode, signal = 0, startedAt, finishedAt } = terminated;
  return told('Terminated', [
    ...given('Reason', reason),
    ...given('Message', message),
    field('Exit Code', exitCode),
    ...(signal > 0 ? [field('Signal', signal)] : []),
    field('Started', clockTime(startedAt)),
    field('Finished', clockTime(finishedAt)),
  ]);
}
