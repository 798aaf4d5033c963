import { MonitorError } from '@wherry/monitor-api';
import type { RemoteCommandStreams } from '@wherry/remotecommand';
import type { CommandRequest, ForwardRequest } from './session-runner.ts';

const invalid = (message: string) => new MonitorError('INVALID_ARGUMENT', message);

function checkStreams({ stdin, stdout, stderr, tty }: RemoteCommandStreams, conjunction: 'or' | 'and'): void {
  if (tty && stderr) throw invalid('tty and stderr cannot both be true');
  if (!stdin && !stdout && !stderr) throw invalid(`one of stdin, stdout, ${conjunction} stderr must be set`);
}

/** Throws {@link MonitorError} `INVALID_ARGUMENT` in upstream's words (k8s.io/cri-streaming pkg/streaming/server.go). */
export function validateExec(request: CommandRequest): void {
  if (!request.containerId) throw invalid('missing required container_id');
  checkStreams(request, 'or');
}

/** As {@link validateExec}, for attach. */
export function validateAttach(request: CommandRequest): void {
  if (!request.containerId) throw invalid('missing required container_id');
  checkStreams(request, 'and');
}

/** As {@link validateExec}, for port-forward. */
export function validateForward(request: ForwardRequest): void {
  if (!request.sandboxId) throw invalid('missing required pod_sandbox_id');
}
