import { type CriClient, CriError, inGoWords, isCriError } from '@wherry/cri';
import type { ExecAction } from '@wherry/kubeapi';
import { ProbeError, type ProbeOutcome, probeOutput } from './probe-outcome.ts';

/** Where and for how long an exec probe runs. */
export interface ExecProbeContext {
  runtime: CriClient['runtime'];
  containerId: string;
  timeoutSeconds: number;
}

const callMarginMs = 5_000;

/** Runs the command in the container: exit code 0 is success, everything else and a timeout are failures. */
export async function execProbe(action: ExecAction, context: ExecProbeContext): Promise<ProbeOutcome> {
  const { runtime, containerId, timeoutSeconds } = context;
  const request = { containerId, cmd: action.command ?? [], timeout: timeoutSeconds };
  try {
    const answer = await runtime.execSync(request, { timeoutMs: timeoutSeconds * 1_000 + callMarginMs });
    const output = probeOutput(Buffer.concat([answer.stdout, answer.stderr]));
    return { result: answer.exitCode === 0 ? 'success' : 'failure', output };
  } catch (error) {
    if (isCriError(error, 'DEADLINE_EXCEEDED')) {
      return {
        result: 'failure',
        output: `command timed out: "${(action.command ?? []).join(' ')}" timed out after ${timeoutSeconds}s`,
      };
    }
    throw new ProbeError(inGoWords(CriError.from(error)), { cause: error });
  }
}
