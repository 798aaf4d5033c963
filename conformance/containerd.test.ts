/** Our client libraries against the streaming server of Debian's containerd. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { collect, iterate } from '@wherry/bytes';
import { connectPortForward } from '@wherry/portforward';
import {
  connectRemoteCommand,
  type RemoteCommandStreams,
  type RemoteCommandTransport,
} from '@wherry/remotecommand';
import { type Containerd, startContainerd } from './peers/containerd.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const none: RemoteCommandStreams = { stdin: false, stdout: false, stderr: false, tty: false };
const webSocketProtocols = ['v4.channel.k8s.io'];
const servers = 'httpd -p 8080 -h /etc; while true; do nc -l -p 9000 -e cat; done';

describe("containerd's streaming server", { timeout: 120_000 }, () => {
  let peer: Containerd;
  let logs: string;
  let podSandboxId: string;
  let containerId: string;

  before(async () => {
    peer = await startContainerd();
    logs = await mkdtemp(join(tmpdir(), 'containerd-logs-'));
    const metadata = { name: 'pod', namespace: 'default', uid: 'uid', attempt: 0 };
    const sandboxConfig = { metadata, logDirectory: logs, linux: {} };
    const { runtime } = peer.client;
    ({ podSandboxId } = await runtime.runPodSandbox({ config: sandboxConfig }));
    ({ containerId } = await runtime.createContainer({
      podSandboxId,
      sandboxConfig,
      config: {
        metadata: { name: 'main' },
        image: { image: peer.image },
        command: ['sh', '-c', servers],
        logPath: 'main.log',
        stdin: true,
        linux: {},
      },
    }));
    await runtime.startContainer({ containerId });
  });

  after(async () => {
    await peer.close();
    await rm(logs, { recursive: true, force: true });
  });

  async function exec(
    transport: RemoteCommandTransport,
    streams: Partial<RemoteCommandStreams>,
    cmd: string[],
  ) {
    const all = { ...none, ...streams };
    const { url } = await peer.client.runtime.exec({ containerId, cmd, ...all });
    return connectRemoteCommand({ url: new URL(url), streams: all, transport, webSocketProtocols });
  }

  for (const transport of ['spdy', 'websocket'] satisfies RemoteCommandTransport[]) {
    it(`keeps stdout and stderr apart over ${transport}`, async () => {
      const session = await exec(transport, { stdout: true, stderr: true }, [
        'sh',
        '-c',
        'echo out; echo err >&2',
      ]);
      const [out, err] = await Promise.all([collect(session.stdout!), collect(session.stderr!)]);
      assert.deepEqual([text(out), text(err), await session.exitCode], ['out\n', 'err\n', 0]);
    });

    for (const code of [1, 3, 137, 255]) {
      it(`tells exit code ${code} over ${transport}`, async () => {
        const session = await exec(transport, { stdout: true }, ['sh', '-c', `exit ${code}`]);
        await collect(session.stdout!);
        assert.equal(await session.exitCode, code);
      });
    }

    it(`receives 32 MiB of output whole over ${transport}`, async () => {
      const command =
        'dd if=/dev/urandom of=/tmp/random bs=1M count=32 2>/dev/null; sha256sum /tmp/random; cat /tmp/random';
      const session = await exec(transport, { stdout: true }, ['sh', '-c', command]);
      const output = Buffer.from(await collect(session.stdout!, { bytesMax: 64 * 1024 * 1024 }));
      const end = output.indexOf('\n') + 1;
      const expected = output.subarray(0, 64).toString();
      assert.equal(createHash('sha256').update(output.subarray(end)).digest('hex'), expected);
      assert.equal(output.length - end, 32 * 1024 * 1024);
      assert.equal(await session.exitCode, 0);
    });

    it(`reports a command that does not exist over ${transport}`, async () => {
      const session = await exec(transport, { stdout: true }, ['/no/such/command']);
      const output = collect(session.stdout!);
      await assert.rejects(session.exitCode, /no such file or directory|not found/);
      await output;
    });

    it(`tells a terminal its size over ${transport}`, async () => {
      const streams = { stdin: true, stdout: true, tty: true };
      const session = await exec(transport, streams, [
        'sh',
        '-c',
        'until stty size | grep "33 99"; do sleep 0.05; done',
      ]);
      session.resize({ width: 99, height: 33 });
      assert.match(text(await collect(session.stdout!)), /33 99/);
      assert.equal(await session.exitCode, 0);
    });
  }

  it('ends by itself when its input ends, over spdy', async () => {
    const session = await exec('spdy', { stdin: true, stdout: true }, ['sh', '-c', 'cat; exit 9']);
    session.stdin!.write(Buffer.from('x'.repeat(100_000)));
    session.stdin!.end();
    assert.equal((await collect(session.stdout!)).length, 100_000);
    assert.equal(await session.exitCode, 9);
  });

  it('forwards connections', async () => {
    const { url } = await peer.client.runtime.portForward({ podSandboxId, port: [] });
    const forward = await connectPortForward({ url: new URL(url), transport: 'spdy' });
    for (let index = 0; index < 3; index++) {
      const channel = await forward.dial(8080);
      channel.write(Buffer.from('GET /passwd HTTP/1.0\r\n\r\n'));
      let answer = '';
      for await (const chunk of iterate(channel)) {
        answer += text(chunk);
        if (answer.includes('root:x:0:0')) break;
      }
      assert.match(answer, /^HTTP\/1\.\d 200 OK/);
    }
    forward.close();
  });

  it('fails a refused port alone', async () => {
    const { url } = await peer.client.runtime.portForward({ podSandboxId, port: [] });
    const forward = await connectPortForward({ url: new URL(url), transport: 'spdy' });
    const refused = await forward.dial(1);
    const closed = refused.closed;
    refused.receive({ data() {}, end() {}, closed() {} });
    assert.match(String((await closed)?.message), /failed to connect|refused/);
    forward.close();
  });
});
