import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import {
  type CriClient,
  CriError,
  type CriErrorCode,
  type CriServer,
  createCriClient,
  createCriServer,
  decodeMessage,
  encodeMessage,
  inGoWords,
  isCriError,
  messageBytesMax,
  type RuntimeServiceHandlers,
} from './index.ts';

describe('message codec', () => {
  it('writes the bytes that the protobuf encoding prescribes', () => {
    const bytes = encodeMessage('ExecSyncRequest', { containerId: 'c', cmd: ['a', ''], timeout: 300 });
    assert.equal(bytes.toString('hex'), '0a0163' + '120161' + '1200' + '18ac02');
  });

  it('gives absent fields their zero value and absent messages undefined', () => {
    assert.deepEqual(decodeMessage('ListContainersRequest', new Uint8Array()), {});
    assert.deepEqual(decodeMessage('ExecRequest', new Uint8Array()).cmd, []);
    assert.equal(decodeMessage('ContainerStatus', new Uint8Array()).createdAt, 0n);
  });

  it('keeps nanoseconds beyond 2^53, negative numbers, maps and packed lists', () => {
    const status = {
      id: 'x',
      createdAt: 1_800_000_000_123_456_789n,
      exitCode: -1,
      labels: { '': 'v', k: '' },
    };
    const decoded = decodeMessage('ContainerStatus', encodeMessage('ContainerStatus', status));
    assert.equal(decoded.createdAt, status.createdAt);
    assert.equal(decoded.exitCode, -1);
    assert.deepEqual(decoded.labels, status.labels);
    const forward = { podSandboxId: 's', port: [80, 8080] };
    const bytes = encodeMessage('PortForwardRequest', forward);
    assert.equal(bytes.toString('hex'), '0a0173' + '120350' + '903f');
    assert.deepEqual(decodeMessage('PortForwardRequest', bytes), forward);
    const unpacked = Buffer.from('10501090' + '3f', 'hex');
    assert.deepEqual(decodeMessage('PortForwardRequest', unpacked).port, [80, 8080]);
  });

  it('skips unknown fields and refuses truncated messages', () => {
    assert.equal(decodeMessage('VersionRequest', Buffer.from('0a0131' + 'fa3f0178', 'hex')).version, '1');
    assert.throws(() => decodeMessage('VersionRequest', Buffer.from('0a0531', 'hex')), RangeError);
  });
});

describe('CriError', () => {
  it('keeps a code by its number and by its name, from whatever class; anything else is UNKNOWN', () => {
    const codeOf = (error: unknown) => CriError.from(error).code;
    assert.equal(codeOf({ code: 5, details: 'no pod' }), 'NOT_FOUND');
    for (const code of ['NOT_FOUND', 'UNAVAILABLE', 'DATA_LOSS'])
      assert.equal(codeOf(Object.assign(new Error('no pod'), { code })), code);
    for (const code of ['ENOENT', 'OK', '5', 'toString', undefined])
      assert.equal(codeOf(Object.assign(new Error('no pod'), { code })), 'UNKNOWN', String(code));
    assert.equal(codeOf(undefined), 'UNKNOWN');
  });

  it('is told in the words of Go’s gRPC client', () => {
    const words = (code: CriErrorCode) => inGoWords(new CriError(code, 'x'));
    assert.equal(words('DEADLINE_EXCEEDED'), 'rpc error: code = DeadlineExceeded desc = x');
    assert.equal(words('CANCELLED'), 'rpc error: code = Canceled desc = x');
  });
});

describe('a client of another’s server', () => {
  /** One whose errors are as long as they come. */
  async function serverOf(t: TestContext, details: string): Promise<CriClient> {
    const folder = await mkdtemp(join(tmpdir(), 'cri-test-'));
    const server = new Server();
    const fails = (path: string, responseStream: boolean) => ({
      ...{ path, requestStream: false, responseStream },
      ...{ requestSerialize: Buffer.from, requestDeserialize: Buffer.from },
      ...{ responseSerialize: Buffer.from, responseDeserialize: Buffer.from },
    });
    const error = { code: status.NOT_FOUND, details };
    server.addService(
      {
        version: fails('/runtime.v1.RuntimeService/Version', false),
        events: fails('/runtime.v1.RuntimeService/GetContainerEvents', true),
      },
      {
        version: (_call: unknown, answer: (error: object) => void) => answer(error),
        events: (call: { emit(name: string, error: object): void }) => call.emit('error', error),
      },
    );
    const socket = join(folder, 'cri.sock');
    await new Promise<void>((resolve, reject) => {
      const bound = (failure: Error | null) => (failure ? reject(failure) : resolve());
      server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), bound);
    });
    const client = createCriClient(socket);
    t.after(async () => {
      client.close();
      server.forceShutdown();
      await rm(folder, { recursive: true });
    });
    return client;
  }

  it('tells the beginning of an error that is too long, of a call and of a stream, and keeps no more of it', async (t) => {
    const client = await serverOf(t, 'no'.repeat(20_000));
    const isBounded = (error: unknown) => {
      assert.ok(isCriError(error, 'NOT_FOUND'), String(error).slice(0, 200));
      const { message, cause } = error as CriError;
      assert.equal(message.length, 8_192);
      assert.match(message, /^(?:no){4000,}n?… \(clipped: 40000 characters\)$/);
      assert.equal(cause, undefined);
      return true;
    };
    await assert.rejects(client.runtime.version(), isBounded);
    await assert.rejects(Array.fromAsync(client.runtime.getContainerEvents({})), isBounded);
  });

  it('tells another as it is', async (t) => {
    const client = await serverOf(t, 'no such thing');
    await assert.rejects(client.runtime.version(), { code: 'NOT_FOUND', message: 'no such thing' });
  });
});

describe('client and server on a unix socket', () => {
  let folder: string;
  let socketPath: string;
  let server: CriServer;
  let client: CriClient;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cri-test-'));
    socketPath = join(folder, 'cri.sock');
  });

  afterEach(async () => {
    client.close();
    await server.close(0);
    await rm(folder, { recursive: true });
  });

  async function serve(runtime: RuntimeServiceHandlers) {
    server = createCriServer({ runtime, images: {} });
    await server.listen(socketPath);
    client = createCriClient(`unix://${socketPath}`);
  }

  it('answers a unary call, on a socket that only its owner may open', async () => {
    await serve({ version: async ({ version }) => ({ runtimeName: `wherry ${version}` }) });
    assert.equal((await client.runtime.version({ version: 'v1' })).runtimeName, 'wherry v1');
    assert.equal((await stat(socketPath)).mode & 0o777, 0o600);
  });

  it('carries the code and text of an error, and UNKNOWN for errors without a code', async () => {
    await serve({
      stopContainer: async () => {
        throw new CriError('NOT_FOUND', 'no container "x"');
      },
      startContainer: async () => {
        throw new Error('boom');
      },
    });
    await assert.rejects(client.runtime.stopContainer(), { code: 'NOT_FOUND', message: 'no container "x"' });
    await assert.rejects(client.runtime.startContainer(), { code: 'UNKNOWN', message: 'boom' });
  });

  it('tells the beginning of an error that is too long, and its code all the same', async () => {
    const text = '€'.repeat(1_000_000);
    await serve({
      version: async () => {
        throw new CriError('INVALID_ARGUMENT', text);
      },
    });
    const message = /^€{8000,}… \(clipped: 1000000 characters\)$/;
    await assert.rejects(client.runtime.version(), { code: 'INVALID_ARGUMENT', message });
  });

  it('answers UNIMPLEMENTED for a method without a handler, unary and stream', async () => {
    await serve({});
    const isUnimplemented = (error: unknown) => isCriError(error, 'UNIMPLEMENTED');
    await assert.rejects(client.runtime.status(), isUnimplemented);
    await assert.rejects(client.images.listImages(), isUnimplemented);
    await assert.rejects(Array.fromAsync(client.runtime.streamContainers()), isUnimplemented);
  });

  it('cancels the handler when the caller aborts or its deadline passes', async () => {
    let aborted = 0;
    await serve({
      execSync: async (_request, { signal }) => {
        await sleep(10_000, undefined, { signal }).catch(() => aborted++);
        return {};
      },
    });
    const controller = new AbortController();
    const call = client.runtime.execSync({}, { signal: controller.signal });
    const reason = new Error('mine');
    setTimeout(() => controller.abort(reason), 50);
    await assert.rejects(call, { code: 'CANCELLED', cause: reason });
    await assert.rejects(client.runtime.execSync({}, { timeoutMs: 50 }), { code: 'DEADLINE_EXCEEDED' });
    for (let i = 0; i < 100 && aborted < 2; i++) await sleep(10);
    assert.equal(aborted, 2);
  });

  it('refuses a deadline that is no time, and waits as long as it takes for an endless one', async () => {
    await serve({ version: async () => ({ version: '0.1.0' }) });
    for (const timeoutMs of [Number.NaN, -1]) {
      const isRefused = { code: 'INVALID_ARGUMENT', message: /^timeoutMs: (NaN|-1) is no time to wait/ };
      await assert.rejects(client.runtime.version({}, { timeoutMs }), isRefused);
      await assert.rejects(Array.fromAsync(client.runtime.streamContainers({}, { timeoutMs })), isRefused);
    }
    const { version } = await client.runtime.version({}, { timeoutMs: Number.POSITIVE_INFINITY });
    assert.equal(version, '0.1.0');
  });

  it('rejects calls of a client that was closed with CANCELLED', async () => {
    await serve({ version: async () => ({}) });
    client.close();
    const message = '/runtime.v1.RuntimeService/Version: this client of the CRI server was closed';
    await assert.rejects(client.runtime.version(), { code: 'CANCELLED', message });
    await assert.rejects(Array.fromAsync(client.runtime.streamContainers()), (error) =>
      isCriError(error, 'CANCELLED'),
    );
  });

  it('an aborted call says why, also while it waits for a server to come back', async () => {
    await serve({});
    const reason = new Error('mine');
    const signal = AbortSignal.abort(reason);
    await assert.rejects(client.runtime.version({}, { signal }), { code: 'CANCELLED', cause: reason });
    const lonely = createCriClient(join(folder, 'none.sock'));
    await assert.rejects(lonely.runtime.version(), { code: 'UNAVAILABLE' });
    const controller = new AbortController();
    const waiting = lonely.runtime.version({}, { signal: controller.signal });
    controller.abort(reason);
    await assert.rejects(waiting, { code: 'CANCELLED', cause: reason });
    lonely.close();
  });

  it('names the method whose handler answered with no message', async () => {
    await serve({
      version: (async () => {}) as never,
      getContainerEvents: async function* () {
        yield 'text' as never;
      },
    });
    const path = '/runtime.v1.RuntimeService';
    await assert.rejects(client.runtime.version(), {
      code: 'INTERNAL',
      message: `${path}/Version: its handler gave undefined instead of a message`,
    });
    await assert.rejects(Array.fromAsync(client.runtime.getContainerEvents()), {
      code: 'INTERNAL',
      message: `${path}/GetContainerEvents: its handler gave text instead of a message`,
    });
  });

  it('listens and connects at a path or at unix://, and refuses other schemes by name', async () => {
    await serve({ version: async () => ({ version: '1' }) });
    const other = createCriServer({ runtime: { version: async () => ({ version: '2' }) }, images: {} });
    await other.listen(`unix://${folder}/other.sock`);
    const its = createCriClient(join(folder, 'other.sock'));
    assert.equal((await its.runtime.version()).version, '2');
    its.close();
    await other.close(0);
    const isRefused = { code: 'INVALID_ARGUMENT', message: /"tcp:\/\/127\.0\.0\.1:1" is no unix socket/ };
    assert.throws(() => createCriClient('tcp://127.0.0.1:1'), isRefused);
    await assert.rejects(server.listen('tcp://127.0.0.1:1'), isRefused);
  });

  it('streams events in order until the reader leaves, and then stops the producer', async () => {
    let stopped = false;
    await serve({
      getContainerEvents: async function* (_request, { signal }) {
        try {
          for (let i = 0; ; i++) {
            yield { containerId: String(i), createdAt: BigInt(i) };
            await sleep(1, undefined, { signal });
          }
        } finally {
          stopped = true;
        }
      },
    });
    const seen: string[] = [];
    for await (const event of client.runtime.getContainerEvents()) {
      seen.push(event.containerId);
      if (seen.length === 5) break;
    }
    assert.deepEqual(seen, ['0', '1', '2', '3', '4']);
    for (let i = 0; i < 100 && !stopped; i++) await sleep(10);
    assert.ok(stopped);
  });

  it('fails a reply over the size limit with RESOURCE_EXHAUSTED and goes on', async () => {
    await serve({
      execSync: async () => ({ stdout: new Uint8Array(messageBytesMax) }),
      version: async () => ({ version: '0.1.0' }),
    });
    await assert.rejects(client.runtime.execSync(), { code: 'RESOURCE_EXHAUSTED' });
    assert.equal((await client.runtime.version()).version, '0.1.0');
  });

  it('reaches a server that has come back with the first call, and says UNAVAILABLE while it is away', async () => {
    const runtime = { version: async () => ({ version: '0.1.0' }) };
    await serve(runtime);
    await client.runtime.version();
    await server.close(0);
    await assert.rejects(client.runtime.version(), {
      code: 'UNAVAILABLE',
      message: `no CRI server answers at "${socketPath}"`,
    });
    const waiting = client.runtime.version();
    server = createCriServer({ runtime, images: {} });
    await server.listen(socketPath);
    assert.equal((await waiting).version, '0.1.0');
  });
});
