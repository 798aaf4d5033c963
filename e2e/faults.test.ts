/**
 * A proxy that breaks connections stands between two hops of a session. Whatever it does, the session ends with all
 * its bytes and the right exit code, or with a failure that says so: never cut short in silence, never a success that
 * is none, never a hang.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Finished } from './command.ts';
import { type SessionClient, sessionClients } from './faults/clients.ts';
import type { Fault } from './faults/fault-proxy.ts';
import { FaultyNode, hops } from './faults/faulty-node.ts';
import { scriptPod, transports } from './node.ts';

const lineCount = 20_000;
const exitCode = 3;
const whole = `${Array.from({ length: lineCount }, (_, index) => index + 1).join('\n')}\n`;
const wholeHash = createHash('sha256').update(whole).digest('hex');
const sessionTimeoutMs = 45_000;
const portForwardPort = 9000;

const harmless: Fault[] = [
  { kind: 'delay', delayMs: 20 },
  { kind: 'one-byte-writes' },
  { kind: 'stalled-reader', direction: 'downstream', afterBytes: 2_000, pauseMs: 3_000 },
];

const harmlessToInput: Fault[] = [
  ...harmless.slice(0, 2),
  { kind: 'stalled-reader', direction: 'upstream', afterBytes: 30_000, pauseMs: 3_000 },
];

const harmful: Fault[] = [
  { kind: 'tear', direction: 'downstream', afterBytes: 30_000 },
  { kind: 'reset', direction: 'downstream', afterBytes: 30_000 },
];

const harmfulToInput: Fault[] = [
  { kind: 'tear', direction: 'upstream', afterBytes: 4_000 },
  { kind: 'reset', direction: 'upstream', afterBytes: 30_000 },
];

const nameOf = (fault: Fault) =>
  'afterBytes' in fault ? `${fault.kind} ${fault.direction} after ${fault.afterBytes} bytes` : fault.kind;

/** The session may have ended by the fault: then it says so, and has an exit code that is not the command's. */
function assertFailureIsTold({ code, signal, stderr }: Finished, client: SessionClient): void {
  assert.equal(signal, null, `${client.name}: hung`);
  if (client.takesTearForSuccess && code === 0) return;
  assert.ok(code !== 0 && code !== exitCode, `${client.name}: exit code ${code} claims success`);
  assert.notEqual(stderr, '', `${client.name}: nothing was said`);
}

describe('a session with a fault between two hops', { timeout: 900_000 }, () => {
  let faulty: FaultyNode;

  before(async () => {
    const server = `nc -ll -p ${portForwardPort} -e seq 1 ${lineCount}`;
    faulty = await FaultyNode.start('faults', [scriptPod('server', server)]);
  });

  after(() => faulty?.remove());

  for (const { name, skip } of transports.filter((transport) => transport.skip)) {
    it(`with kubectl over ${name}`, { skip }, () => {});
  }

  async function everyClient(session: (client: SessionClient) => Promise<void>): Promise<void> {
    await Promise.all(sessionClients.map(session));
  }

  for (const hop of hops) {
    for (const fault of [...harmless, ...harmful]) {
      it(`${hop}, ${nameOf(fault)}: output is whole or the failure is told`, () =>
        faulty.broken(hop, fault, () =>
          everyClient(async (client) => {
            const words = ['exec', 'target', '--', 'sh', '-c', `seq 1 ${lineCount}; exit ${exitCode}`];
            const finished = await client.run(faulty.kubeconfig, words, { timeoutMs: sessionTimeoutMs });
            const { code, stdout, stderr } = finished;
            if (harmful.includes(fault) && code !== exitCode) {
              assertFailureIsTold(finished, client);
              assert.ok(whole.startsWith(stdout), `${client.name}: what arrived is not the beginning`);
              return;
            }
            assert.equal(code, exitCode, `${client.name}: ${stderr}`);
            assert.equal(stdout, whole, `${client.name}: the output is not whole`);
          }),
        ));
    }

    for (const fault of [...harmlessToInput, ...harmfulToInput]) {
      it(`${hop}, ${nameOf(fault)}: input is whole, or the failure is told and the process never sees its end`, () =>
        faulty.broken(hop, fault, () =>
          everyClient(async (client) => {
            const file = `/tmp/${createHash('sha1')
              .update(hop + nameOf(fault) + client.name)
              .digest('hex')}`;
            const script = `cat > ${file}; touch ${file}.whole; sha256sum ${file}; exit ${exitCode}`;
            const words = ['exec', '-i', 'target', '--', 'sh', '-c', script];
            const options = { stdin: whole, timeoutMs: sessionTimeoutMs };
            const finished = await client.run(faulty.kubeconfig, words, options);
            const { code, stdout, stderr } = finished;
            if (harmfulToInput.includes(fault) && code !== exitCode) {
              assertFailureIsTold(finished, client);
              await assertInputWasNotEnded(file, client.name);
              return;
            }
            assert.equal(code, exitCode, `${client.name}: ${stderr}`);
            assert.equal(stdout.split(' ')[0], wholeHash, `${client.name}: the input is not whole`);
          }),
        ));
    }

    for (const fault of [...harmless, ...harmful]) {
      it(`${hop}, ${nameOf(fault)}: a forwarded connection is whole or its end is told`, () =>
        faulty.broken(hop, fault, () =>
          everyClient(async (client) => {
            const { received, isTold } = await download(client);
            if (received === whole) return;
            assert.ok(harmful.includes(fault), `${client.name}: ${received.length} of ${whole.length} bytes`);
            assert.ok(whole.startsWith(received), `${client.name}: what arrived is not the beginning`);
            assert.ok(isTold, `${client.name}: ${received.length} bytes and no word of a failure`);
          }),
        ));
    }
  }

  /** A writer that was cut off must not look like one that was done: the process is ended instead. */
  async function assertInputWasNotEnded(file: string, who: string): Promise<void> {
    const words = [
      'exec',
      'target',
      '--',
      'sh',
      '-c',
      `[ -e ${file}.whole ] && sha256sum ${file} || echo no`,
    ];
    const answer = (await faulty.node.kubectlOk(words)).split(' ')[0]?.trim();
    assert.ok(answer === 'no' || answer === wholeHash, `${who}: the process took a part for the whole`);
  }

  /** One connection through a forward; told is a reset, or a forward that ended with words. */
  async function download(client: SessionClient): Promise<{ received: string; isTold: boolean }> {
    const child = client.start(faulty.kubeconfig, ['port-forward', 'server', `:${portForwardPort}`]);
    try {
      let words = '';
      child.stderr.on('data', (chunk) => (words += chunk));
      const port = await new Promise<number | null>((resolve) => {
        let text = '';
        child.stdout.on('data', (chunk) => {
          text += chunk;
          const found = /127\.0\.0\.1:(\d+) ->/.exec(text)?.[1];
          if (found) resolve(Number(found));
        });
        child.once('close', () => resolve(null));
      });
      if (port === null) return { received: '', isTold: words !== '' && child.exitCode !== 0 };
      const { received, isReset } = await readAll(port);
      await new Promise((resolve) => setTimeout(resolve, received === whole ? 0 : 200));
      return { received, isTold: isReset || words !== '' };
    } finally {
      child.kill('SIGKILL');
    }
  }
});

function readAll(port: number): Promise<{ received: string; isReset: boolean }> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = '';
    let isReset = false;
    socket.setTimeout(sessionTimeoutMs, () => socket.destroy());
    socket.on('data', (chunk) => (received += chunk));
    socket.once('error', () => {
      isReset = true;
    });
    socket.once('close', () => resolve({ received, isReset }));
  });
}
