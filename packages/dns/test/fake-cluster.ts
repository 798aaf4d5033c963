import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { type InformerHandlers, type KubeObject, keyOf } from '@wherry/client';
import type { Endpoint, EndpointSlice, Namespace, Pod, Service } from '@wherry/kubeapi';
import {
  type ClusterDns,
  type ClusterDnsOptions,
  type DnsPorts,
  type Resolver,
  startClusterDns,
} from '../src/index.ts';
import type { Answer } from '../src/wire/answer.ts';
import type { Query } from '../src/wire/query.ts';
import { readQuery } from '../src/wire/query.ts';
import { writeResponse } from '../src/wire/response.ts';

/** Objects of one kind, changed by hand. */
export class FakeObjects<T extends KubeObject> {
  hasSynced = true;
  readonly #objects = new Map<string, T>();
  readonly #listeners = new Set<InformerHandlers<T>>();

  on(listener: InformerHandlers<T>): () => void {
    this.#listeners.add(listener);
    for (const object of this.#objects.values()) listener.added?.(object);
    if (this.hasSynced) listener.synced?.();
    return () => void this.#listeners.delete(listener);
  }

  /** From now on all that is there has been listed. */
  sync(): void {
    this.hasSynced = true;
    for (const listener of this.#listeners) listener.synced?.();
  }

  set(object: T): void {
    const previous = this.#objects.get(keyOf(object));
    this.#objects.set(keyOf(object), object);
    for (const listener of this.#listeners) {
      if (previous) listener.updated?.(object, previous);
      else listener.added?.(object);
    }
  }

  delete(object: T): void {
    this.#objects.delete(keyOf(object));
    for (const listener of this.#listeners) listener.deleted?.(object);
  }
}

export const namespace = (name: string): Namespace => ({ metadata: { name }, spec: {} });

export const service = (name: string, spec: Service['spec'] = {}, inNamespace = 'default'): Service => ({
  metadata: { name, namespace: inNamespace },
  spec,
});

export const slice = (
  serviceName: string,
  endpoints: Endpoint[],
  more: Partial<EndpointSlice> & { name?: string } = {},
): EndpointSlice => {
  const { name = `${serviceName}-1`, ...rest } = more;
  const labels = { 'kubernetes.io/service-name': serviceName };
  return {
    metadata: { name, namespace: 'default', labels },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints,
    ...rest,
  };
};

export const pod = (name: string, ip: string, spec: Pod['spec'] = { containers: [] }): Pod => ({
  metadata: { name, namespace: 'default', uid: `${name}-${ip}` },
  spec,
  status: { podIP: ip, podIPs: [{ ip }] },
});

/** A cluster without anything but the namespace `default`, and its DNS on loopback. */
export class FakeCluster {
  readonly namespaces = new FakeObjects<Namespace>();
  readonly services = new FakeObjects<Service>();
  readonly slices = new FakeObjects<EndpointSlice>();
  readonly pods = new FakeObjects<Pod>();

  constructor() {
    this.namespaces.set(namespace('default'));
  }

  async start(
    test: Pick<TestContext, 'after'>,
    options: Partial<ClusterDnsOptions> = {},
  ): Promise<DnsPorts & { dns: ClusterDns }> {
    const dns = startClusterDns({
      informers: this,
      ...{ address: '127.0.0.1', port: 0, serviceAddress: '10.96.0.10', resolvers: [] },
      ranges: ['10.88.0.0/24', '10.96.0.0/16'],
      ...options,
    });
    test.after(() => dns.close());
    return { ...(await dns.listening), dns };
  }
}

/** Another resolver, over UDP and TCP on one port, which answers as told and remembers what it was asked. */
export async function fakeResolver(
  test: TestContext,
  answerTo: (query: Query, transport: 'udp' | 'tcp') => Answer | undefined,
  { address = '127.0.0.1' } = {},
): Promise<Resolver & { asked: string[] }> {
  const asked: string[] = [];
  const answer = (packet: Buffer, transport: 'udp' | 'tcp'): Buffer | undefined => {
    const query = readQuery(packet);
    if (!query) return undefined;
    asked.push(`${transport} ${query.name} ${query.type}`);
    const found = answerTo(query, transport);
    return found && writeResponse(query, found, transport === 'udp' ? 512 : undefined);
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      const response = answer(chunk.subarray(2), 'tcp');
      if (!response) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(response.length);
      socket.write(Buffer.concat([length, response]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  const socket = createSocket('udp4');
  socket.on('message', (packet, from) => {
    const response = answer(packet, 'udp');
    if (response) socket.send(response, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(port, address, resolve));
  test.after(() => {
    socket.close();
    server.close();
  });
  return { address, port, asked };
}

/** Sends one datagram, from an address of loopback, and gives what comes back; undefined after `patienceMs` without. */
export async function exchangeRaw(
  port: number,
  packet: Uint8Array,
  patienceMs = 2_000,
  from = '127.0.0.1',
): Promise<Buffer | undefined> {
  const socket = createSocket('udp4');
  try {
    await new Promise<void>((resolve) => socket.bind(0, from, resolve));
    return await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), patienceMs);
      socket.once('message', (message) => {
        clearTimeout(timer);
        resolve(message);
      });
      socket.send(packet, port, '127.0.0.1');
    });
  } finally {
    socket.close();
  }
}

/** A question as a client sends it; with `edns` the bytes that it takes. */
export function question(
  name: string,
  type: number,
  { id = 77, edns }: { id?: number; edns?: number } = {},
): Buffer {
  const labels = name.split('.').flatMap((label) => [label.length, ...Buffer.from(label, 'latin1')]);
  const counts = [0, 1, 0, 0, 0, 0, 0, edns === undefined ? 0 : 1];
  const options = edns === undefined ? [] : [0, 0, 41, edns >> 8, edns & 255, 0, 0, 0, 0, 0, 0];
  return Buffer.from([
    id >> 8,
    id & 255,
    1,
    0,
    ...counts,
    ...labels,
    0,
    type >> 8,
    type & 255,
    0,
    1,
    ...options,
  ]);
}
