import { onAbort } from '@wherry/bytes';
import { ChannelSocket, type MessageSocket } from '@wherry/upgrade';
import { PortForwardError } from './errors.ts';
import { legacyProtocols } from './protocols.ts';
import { type ConnectionCounts, failureText, type PortForwardService } from './serve-types.ts';
import { joinTarget } from './target-join.ts';
import { ToldConnection } from './told-connection.ts';

/** Each port has a data channel (both ways) and an error channel (to the client). */
const dataChannel = (index: number) => 2 * index;
const errorChannel = (index: number) => 2 * index + 1;

/** A port as the first message of its two channels: two bytes, little endian. */
function encodePort(port: number): Uint8Array {
  return Uint8Array.of(port & 0xff, port >> 8);
}

/**
 * Serves the WebSocket channels of older client libraries: every port of the request is dialled once, at once, and the
 * session ends with the last of them. Never rejects.
 */
export async function serveLegacyPortForward(
  socket: MessageSocket,
  ports: readonly number[],
  service: PortForwardService,
): Promise<ConnectionCounts & { error: Error | null }> {
  const channels = new ChannelSocket({
    socket,
    encoding: socket.protocol === legacyProtocols.v4Base64 ? 'base64' : 'binary',
    sources: ports.map((_, index) => dataChannel(index)),
    sinks: ports.flatMap((_, index) => [dataChannel(index), errorChannel(index)]),
  });
  for (const [index, port] of ports.entries()) {
    channels.send(dataChannel(index), encodePort(port));
    channels.send(errorChannel(index), encodePort(port));
  }
  const gone = new AbortController();
  const leave = onAbort(service.signal, () => channels.close());
  channels.closed.then((error) => {
    leave();
    gone.abort(new PortForwardError('sessionClosed', 'the WebSocket is closed', { cause: error }));
  });
  const failed = await Promise.all(
    ports.map((port, index) => forward(channels, { port, index }, service, gone.signal)),
  );
  channels.close();
  const error = await channels.closed;
  return { connections: ports.length, failures: failed.filter((failure) => failure).length, error };
}

/** Resolves with what broke; its text has been sent on the error channel then. */
async function forward(
  channels: ChannelSocket,
  { port, index }: { port: number; index: number },
  service: PortForwardService,
  signal: AbortSignal,
): Promise<Error | null> {
  const channel = dataChannel(index);
  const client = { source: channels.source(channel), sink: channels.sink(channel), halfCloses: false };
  const told = new ToldConnection(service.session, port);
  let failure: Error | null;
  try {
    const target = await service.dial(port, { signal });
    failure = (await joinTarget(told.metered(client, target), target)).targetError;
  } catch (error) {
    client.source.abort(error as Error);
    failure = error as Error;
  }
  told.over(failure);
  if (failure && !signal.aborted) {
    const text = failureText(port, service.podName, failure);
    service.logger.warn(text);
    channels.send(errorChannel(index), Buffer.from(text));
  }
  return failure;
}
