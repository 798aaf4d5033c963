import type { RemoteCommandStreams } from '@wherry/remotecommand';
import type { Query } from '../http/query.ts';

/** The sub-resources that are upgraded connections. */
export type StreamSubresource = 'exec' | 'attach' | 'portforward';

/** Where at the kubelet a stream goes. */
export interface StreamLocation {
  /** Decoded. */
  path: string;
  search: string;
  /** For exec and attach. */
  streams: RemoteCommandStreams;
}

/** The streams that a request's query asks for. */
export function streamsOf(query: Query): RemoteCommandStreams {
  const tty = query.flag('tty');
  return { stdin: query.flag('stdin'), stdout: query.flag('stdout'), stderr: query.flag('stderr'), tty };
}

/** The ports that a request's query names; SPDY clients name none. */
export function namedPorts(query: Query): number[] {
  return query.list('ports').flatMap((text) => text.split(',').map(Number).filter(Boolean));
}

/** `/exec/NAMESPACE/POD/CONTAINER?command=…&input=1…`, with the kubelet's spelling of the options. */
export function commandLocation(
  subresource: 'exec' | 'attach',
  pod: { namespace: string; podName: string; container: string },
  query: Query,
): StreamLocation {
  const streams = streamsOf(query);
  const parameters = new URLSearchParams();
  if (streams.stdin) parameters.set('input', '1');
  if (streams.stdout) parameters.set('output', '1');
  if (streams.stderr) parameters.set('error', '1');
  if (streams.tty) parameters.set('tty', '1');
  if (subresource === 'exec') for (const word of query.list('command')) parameters.append('command', word);
  const path = `/${subresource}/${pod.namespace}/${pod.podName}/${pod.container}`;
  return { path, search: parameters.toString(), streams };
}

/** `/portForward/NAMESPACE/POD`, with the ports of a legacy WebSocket session. */
export function portForwardLocation(
  pod: { namespace: string; podName: string },
  query: Query,
): StreamLocation {
  const ports = query.list('ports');
  const search = ports.length === 0 ? '' : new URLSearchParams({ port: ports.join(',') }).toString();
  const path = `/portForward/${pod.namespace}/${pod.podName}`;
  return { path, search, streams: { stdin: false, stdout: false, stderr: false, tty: false } };
}
