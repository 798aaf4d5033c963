import { meterSink, meterSource } from '@wherry/bytes';
import type { LiveSession, SessionOutcome } from '@wherry/telemetry';
import type { CommandOutcome } from '../session.ts';
import type { ServerStreams } from './streams.ts';

/** The client's streams, whose bytes the session is told of. */
export function meteredStreams(
  session: LiveSession | undefined,
  { stdin, stdout, stderr }: Pick<ServerStreams, 'stdin' | 'stdout' | 'stderr'>,
): Pick<ServerStreams, 'stdin' | 'stdout' | 'stderr'> {
  if (!session) return { stdin, stdout, stderr };
  const output = (name: 'stdout' | 'stderr', sink: ServerStreams['stdout']) => {
    if (!sink) return null;
    const { down } = session.stream(name);
    down.holds(() => sink.bufferedBytes);
    return meterSink(sink, down);
  };
  return {
    stdin: stdin && meterSource(stdin, session.stream('stdin').up),
    stdout: output('stdout', stdout),
    stderr: output('stderr', stderr),
  };
}

/** How a client went before its command had ended. */
export type ClientLeave = 'in-order' | 'broken';

/** How a served session ended; `left`: its client had gone before the command ended. */
export function commandEnd(
  served: { statusCode: number; outcome: CommandOutcome | null; error: Error | null },
  left: ClientLeave | undefined,
): SessionOutcome {
  const { statusCode, outcome, error } = served;
  const message = error ? { message: error.message } : {};
  if (statusCode !== 101) return { reason: 'refused', statusCode, ...message };
  if (!outcome) return { reason: 'broken', by: 'client', ...message };
  if (outcome.kind === 'exited')
    return { reason: 'exited', exitCode: outcome.exitCode, by: left ? 'client' : 'process', ...message };
  if (left) return { reason: left === 'broken' ? 'broken' : 'closed', by: 'client', ...message };
  return { reason: 'failed', message: outcome.message };
}
