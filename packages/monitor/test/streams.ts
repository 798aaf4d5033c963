import type { RemoteCommandStreams } from '@wherry/remotecommand';

/** Streams of a session: output alone, unless said otherwise. */
export function streams(chosen: Partial<RemoteCommandStreams> = {}): RemoteCommandStreams {
  return { stdin: false, stdout: true, stderr: false, tty: false, ...chosen };
}
