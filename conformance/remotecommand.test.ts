import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { collect } from '@wherry/bytes';
import {
  connectRemoteCommand,
  type RemoteCommandSession,
  type RemoteCommandStreams,
  serveRemoteCommand,
  translateRemoteCommand,
} from '@wherry/remotecommand';
import { proxyUpgrade } from '@wherry/upgrade';
import { runProcess } from '../packages/remotecommand/test/run-process.ts';
import { upgradeServer } from '../packages/upgrade/test/upgrade-server.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { runGoPeer, startGoPeer } from './peers/go-process.ts';

const execClient = await buildGoPeer('execclient');

const output: RemoteCommandStreams = { stdin: false, stdout: true, stderr: true, tty: false };
const both: RemoteCommandStreams = { ...output, stdin: true };

/** How client-go gets to our server: what it asks for, and which of our hops is between. */
const roads = [
  { name: 'SPDY', transport: 'spdy', hop: 'none' },
  { name: 'WebSocket v4', transport: 'websocket-v4', hop: 'none' },
  { name: 'WebSocket v5 refused, then SPDY', transport: 'auto', hop: 'none' },
  { name: 'WebSocket v5 through the translator', transport: 'websocket', hop: 'translator' },
  { name: 'SPDY through the proxy', transport: 'spdy', hop: 'proxy' },
  {
    name: 'WebSocket v5 through the proxy and the translator',
    transport: 'auto',
    hop: 'proxy and translator',
  },
] as const;

type Road = (typeof roads)[number];

async function serve(road: Road, streams: RemoteCommandStreams, handler: ReturnType<typeof runProcess>) {
  const server = await upgradeServer((request, socket, head) => {
    const backend = { url: `${server.url}/back` };
    const isWebSocket = request.headers.upgrade === 'websocket';
    if (request.url === '/front' && road.hop === 'proxy') proxyUpgrade({ request, socket, head, backend });
    else if (request.url === '/front' && road.hop === 'proxy and translator') {
      proxyUpgrade({ request, socket, head, backend: { url: `${server.url}/middle` } });
    } else if (isWebSocket && road.hop.includes('translator') && request.url !== '/back') {
      translateRemoteCommand({ request, socket, head, backend, streams });
    } else serveRemoteCommand({ request, socket, head, streams, handler });
  });
  return server;
}

const args = (url: string, road: Road, ...more: string[]) => [
  `-url=${url}/front`,
  `-transport=${road.transport}`,
  ...more,
];

test('44: client-go reads 32 MiB at 1 MiB/s over every road and gets every byte and the status', async () => {
  const total = 32 * 2 ** 20;
  await Promise.all(
    roads.map(async (road) => {
      const script = `head -c ${total} /dev/zero; exit 7`;
      await using server = await serve(road, output, runProcess(['sh', '-c', script]));
      const result = await runGoPeer(execClient, args(server.url, road, `-slow=${2 ** 20}`));
      assert.deepEqual([result.exitCode, result.stdout.length], [7, total], road.name);
    }),
  );
});

for (const road of roads) {
  for (const exitCode of [0, 3, 137]) {
    test(`26: client-go over ${road.name} sees exit code ${exitCode} and both outputs`, async () => {
      await using server = await serve(
        road,
        output,
        runProcess(['sh', '-c', `echo out; echo err >&2; exit ${exitCode}`]),
      );
      const result = await runGoPeer(execClient, args(server.url, road));
      assert.deepEqual(
        [result.exitCode, result.stdout.toString(), result.stderr],
        [exitCode, 'out\n', 'err\n'],
      );
    });
  }

  test(`client-go over ${road.name} gets the text of a command that can't be run`, async () => {
    await using server = await serve(road, output, runProcess(['/no/such']));
    const result = await runGoPeer(execClient, args(server.url, road));
    assert.equal(result.exitCode, 111);
    assert.match(
      result.stderr,
      /Internal error occurred: error executing command in container: no \/no\/such/,
    );
  });

  test(`31: client-go's input over ${road.name} reaches the command whole, and its EOF ends it`, async () => {
    if (road.transport === 'websocket-v4') return; // 32: WebSocket v4 has no EOF for stdin.
    const input = randomBytes(8 * 2 ** 20);
    await using server = await serve(road, both, runProcess(['sha256sum']));
    const result = await runGoPeer(execClient, args(server.url, road, '-stdin'), input);
    const digest = createHash('sha256').update(input).digest('hex');
    assert.deepEqual([result.exitCode, result.stdout.toString()], [0, `${digest}  -\n`]);
  });

  test(`42: client-go's terminal over ${road.name} has no stderr and tells its size`, async () => {
    const streams: RemoteCommandStreams = { stdin: true, stdout: true, stderr: false, tty: true };
    const handler = async (session: RemoteCommandSession) => {
      for await (const { width, height } of session.sizes) {
        session.stdout?.write(Buffer.from(`${width}x${height}`));
        break;
      }
      return { kind: 'exited', exitCode: 0 } as const;
    };
    await using server = await serve(road, streams, handler);
    const result = await runGoPeer(execClient, args(server.url, road, '-stdin', '-tty'));
    assert.deepEqual([result.exitCode, result.stdout.toString()], [0, '80x24']);
  });
}

const streamingServer = startGoPeer(await buildGoPeer('streamingserver'), []);
after(() => streamingServer[Symbol.asyncDispose]());

async function streamingUrl(query: string): Promise<string> {
  const answer = await fetch(`${(await streamingServer.output(/\n/)).trim()}/new/exec?${query}`);
  return answer.text();
}

/** How our client gets to upstream's streaming server. */
const ways = [
  { name: 'SPDY', transport: 'spdy', webSocketProtocols: undefined, halfCloses: true },
  {
    name: 'WebSocket v4',
    transport: 'websocket',
    webSocketProtocols: ['v4.channel.k8s.io'],
    halfCloses: false,
  },
  {
    name: 'WebSocket v4 in base64',
    transport: 'websocket',
    webSocketProtocols: ['v4.base64.channel.k8s.io'],
    halfCloses: false,
  },
] as const;

for (const way of ways) {
  const connect = (url: string, streams: RemoteCommandStreams) =>
    connectRemoteCommand({ url, streams, ...way });

  for (const exitCode of [0, 3]) {
    test(`our client over ${way.name} sees exit code ${exitCode} of upstream's streaming server`, async () => {
      const command = `command=sh&command=-c&command=${encodeURIComponent(`echo out; echo err >&2; exit ${exitCode}`)}`;
      const connection = await connect(await streamingUrl(`stdout=1&stderr=1&${command}`), output);
      const [stdout, stderr] = await Promise.all([collect(connection.stdout!), collect(connection.stderr!)]);
      assert.equal(await connection.exitCode, exitCode);
      assert.deepEqual([Buffer.from(stdout).toString(), Buffer.from(stderr).toString()], ['out\n', 'err\n']);
    });
  }

  if (way.halfCloses) {
    test(`our client's input over ${way.name} reaches upstream's streaming server whole`, async () => {
      const connection = await connect(
        await streamingUrl('stdin=1&stdout=1&stderr=1&command=sha256sum'),
        both,
      );
      const input = randomBytes(4 * 2 ** 20);
      connection.stdin?.write(input);
      connection.stdin?.end();
      collect(connection.stderr!);
      const stdout = Buffer.from(await collect(connection.stdout!)).toString();
      assert.equal(await connection.exitCode, 0);
      assert.equal(stdout, `${createHash('sha256').update(input).digest('hex')}  -\n`);
    });
  }

  test(`our client over ${way.name} tells upstream's streaming server its terminal's size`, async () => {
    const streams: RemoteCommandStreams = { stdin: false, stdout: true, stderr: false, tty: true };
    const command = `command=sh&command=-c&command=${encodeURIComponent('printf $SIZE')}`;
    const connection = await connect(await streamingUrl(`stdout=1&tty=1&${command}`), streams);
    connection.resize({ width: 1, height: 1 });
    connection.resize({ width: 132, height: 43 });
    const stdout = Buffer.from(await collect(connection.stdout!)).toString();
    assert.equal(await connection.exitCode, 0);
    assert.match(stdout, /^(1x1|132x43)$/);
  });

  test(`our client over ${way.name} shows a start failure of upstream's streaming server`, async () => {
    const connection = await connect(await streamingUrl('stdout=1&stderr=1&command=/no/such'), output);
    collect(connection.stdout!);
    collect(connection.stderr!);
    await assert.rejects(connection.exitCode, /error executing command in container: fork\/exec \/no\/such/);
  });
}
