import type { CriClient } from '@wherry/cri';
import {
  connectPortForward,
  type PortForwardConnection,
  type PortForwardTransport,
} from '@wherry/portforward';
import {
  connectRemoteCommand,
  type RemoteCommandConnection,
  type RemoteCommandStreams,
  type RemoteCommandTransport,
} from '@wherry/remotecommand';
import type { UpgradeTarget } from '@wherry/upgrade';

/** Which of a session's streams are open. */
export type Streams = Partial<RemoteCommandStreams>;

/** A session as far as it is measured. */
export type Session = Pick<RemoteCommandConnection, 'stdin' | 'stdout' | 'exitCode' | 'close'>;

/** One way from a client to a container: which server answers, and over what. */
export interface Road {
  /** Which server the client talks to: a CRI streaming server, the kubelet or the API server. */
  entry: string;
  transport: string;
  exec(command: readonly string[], streams: Streams): Promise<Session>;
  attach(streams: Streams): Promise<Session>;
}

/** One way from a client to a pod's ports. */
export interface ForwardRoad {
  entry: string;
  transport: string;
  open(): Promise<Pick<PortForwardConnection, 'dial' | 'close'>>;
}

/** How a remote command is asked for: SPDY, or a WebSocket that offers one sub-protocol. */
export interface CommandTransport {
  label: string;
  transport: RemoteCommandTransport;
  webSocketProtocols?: readonly string[];
}

/** The transports that the tables compare. */
export const commandTransports = {
  spdy: { label: 'SPDY v4', transport: 'spdy' },
  webSocketV4: { label: 'WebSocket v4', transport: 'websocket', webSocketProtocols: ['v4.channel.k8s.io'] },
  webSocketV5: { label: 'WebSocket v5', transport: 'websocket', webSocketProtocols: ['v5.channel.k8s.io'] },
} satisfies Record<string, CommandTransport>;

/** The two forms of a forward. */
export const forwardTransports = [
  { label: 'SPDY', transport: 'spdy' },
  { label: 'SPDY in WebSocket', transport: 'websocket' },
] as const satisfies { label: string; transport: PortForwardTransport }[];

const closedStreams: RemoteCommandStreams = { stdin: false, stdout: false, stderr: false, tty: false };

/** A container as a CRI runtime knows it. */
export interface CriTarget {
  name: string;
  client: CriClient;
  podSandboxId: string;
  containerId: string;
  /** A container that runs {@link attachScript}. */
  attachContainerId: string;
}

/** The way to a CRI runtime's streaming server: the URL is asked for by CRI each time, as a kubelet does. */
export function criRoad(target: CriTarget, how: CommandTransport): Road {
  const { runtime } = target.client;
  const connect = (url: string, streams: RemoteCommandStreams) =>
    connectRemoteCommand({ ...how, url: new URL(url), streams });
  return {
    entry: target.name,
    transport: how.label,
    async exec(command, some) {
      const streams = { ...closedStreams, ...some };
      const request = { containerId: target.containerId, cmd: [...command], ...streams };
      return connect((await runtime.exec(request)).url, streams);
    },
    async attach(some) {
      const streams = { ...closedStreams, ...some };
      const request = { containerId: target.attachContainerId, ...streams };
      return connect((await runtime.attach(request)).url, streams);
    },
  };
}

/** The way to the ports of a CRI runtime's pod. */
export function criForwardRoad(target: CriTarget, how: (typeof forwardTransports)[number]): ForwardRoad {
  return {
    entry: target.name,
    transport: how.label,
    async open() {
      const { url } = await target.client.runtime.portForward({
        podSandboxId: target.podSandboxId,
        port: [],
      });
      return connectPortForward({ url: new URL(url), transport: how.transport });
    },
  };
}

/** A server that takes paths with options: the kubelet's and the API server's differ in their spelling. */
export interface HttpTarget {
  name: string;
  /** The path of a session with its query. */
  commandUrl(verb: 'exec' | 'attach', command: readonly string[], streams: RemoteCommandStreams): URL;
  forwardUrl: URL;
  /** Credentials. */
  access: Pick<UpgradeTarget, 'headers' | 'tls'>;
}

/** The way through a kubelet or an API server. */
export function httpRoad(target: HttpTarget, how: CommandTransport): Road {
  const open = (verb: 'exec' | 'attach', command: readonly string[], some: Streams) => {
    const streams = { ...closedStreams, ...some };
    const url = target.commandUrl(verb, command, streams);
    return connectRemoteCommand({ ...target.access, ...how, url, streams });
  };
  return {
    entry: target.name,
    transport: how.label,
    exec: (command, streams) => open('exec', command, streams),
    attach: (streams) => open('attach', [], streams),
  };
}

/** The way to a pod's ports through a kubelet or an API server. */
export function httpForwardRoad(target: HttpTarget, how: (typeof forwardTransports)[number]): ForwardRoad {
  return {
    entry: target.name,
    transport: how.label,
    open: () => connectPortForward({ ...target.access, url: target.forwardUrl, transport: how.transport }),
  };
}
