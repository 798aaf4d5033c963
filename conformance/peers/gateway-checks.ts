import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { run, start as startCommand } from '../../e2e/command.ts';
import { eventually, wherryEntry } from '../../e2e/node.ts';
import { type DocumentedGateways, gatewayNames, startDocumentedGateways } from '../gateways/documented.ts';
import { type Cluster, clusterOf } from './cluster.ts';
import { checkSessions } from './session-checks.ts';

/** Lines of a watch have to come within this, while nothing else happens. */
const watchMs = 10_000;

/**
 * Registers tests of what docs/gateways.md shows, in front of a cluster that runs the pod `ticker` of {@link checkSessions}:
 * `start` answers its kubeconfig.
 */
export function checkGateways(start: () => Promise<string>): void {
  let gateways: DocumentedGateways;
  let home: string;
  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'gateway-home-'));
    gateways = await startDocumentedGateways(await start());
  });
  after(async () => {
    await gateways?.[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });
  for (const name of gatewayNames)
    describe(`the documented gateway: ${name}`, () => {
      const surroundings = () => ({ KUBECONFIG: gateways.kubeconfigOf(name), HOME: home });
      const kubectl = clusterOf(surroundings);
      const wherry: Cluster = {
        kubectl: (words, options = {}) =>
          run(process.execPath, [wherryEntry, ...words], {
            ...options,
            env: { ...surroundings(), ...options.env },
          }),
        async kubectlOk(words, options) {
          const { code, stdout, stderr } = await wherry.kubectl(words, options);
          assert.equal(code, 0, `wherry ${words.join(' ')}: ${stderr}`);
          return stdout;
        },
        startKubectl: (words, env = {}) =>
          startCommand(process.execPath, [wherryEntry, ...words], { env: { ...surroundings(), ...env } }),
      };
      checkSessions(() => kubectl);
      describe('with kubectl', () => checkVerbs(kubectl, home));
      describe('with wherry', () => checkVerbs(wherry, home));
    });
  test('who does not know the token is refused, and so is what the gateway keeps', async () => {
    const kubectl = clusterOf(() => ({ KUBECONFIG: gateways.kubeconfigOf('Node'), HOME: home }));
    for (const words of [['--token=guessed'], ['--namespace=kube-system']]) {
      const { code, stderr } = await kubectl.kubectl(['get', 'pods', ...words]);
      assert.equal(code, 1);
      assert.match(stderr, /not for you/);
    }
  });
}

function checkVerbs(cluster: Cluster, home: string): void {
  const map = 'configmap/through-the-gateway';

  test('objects are made, watched, changed and deleted', async () => {
    await cluster.kubectl(['delete', map, '--ignore-not-found']);
    await cluster.kubectlOk(['create', 'configmap', 'through-the-gateway', '--from-literal=colour=blue']);
    const watching = cluster.startKubectl(['get', map, '-w', '-o', 'jsonpath={.data.colour}{"\\n"}']);
    let seen = '';
    watching.stdout.on('data', (chunk: Buffer) => {
      seen += chunk;
    });
    try {
      await eventually('the object', () => seen.startsWith('blue\n'), watchMs);
      await cluster.kubectlOk(['patch', map, '--type=merge', '-p', '{"data":{"colour":"green"}}']);
      await eventually('its change', () => seen.startsWith('blue\ngreen\n'), watchMs);
      const stdin = JSON.stringify({
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'through-the-gateway' } },
        data: { colour: 'red' },
      });
      const words = ['apply', '--server-side', '--force-conflicts', '-f', '-'];
      await cluster.kubectlOk(words, { stdin });
      await eventually('what was applied', () => seen.startsWith('blue\ngreen\nred\n'), watchMs);
    } finally {
      watching.kill('SIGKILL');
    }
    await cluster.kubectlOk(['delete', map]);
    const { code, stderr } = await cluster.kubectl(['get', map]);
    assert.equal(code, 1);
    assert.match(stderr, /NotFound.*configmaps "through-the-gateway" not found/);
  });

  test('files are copied both ways', async () => {
    const [from, to] = [join(home, 'from'), join(home, 'to')];
    const content = Buffer.alloc(5 << 20, 'some words, again and again. ');
    writeFileSync(from, content);
    await cluster.kubectlOk(['cp', from, 'ticker:/tmp/copied']);
    await cluster.kubectlOk(['cp', 'ticker:/tmp/copied', to]);
    const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    assert.equal(sum(readFileSync(to)), sum(content));
  });

  test('a command says how it ended, and a log what its container wrote', async () => {
    const { code, stdout } = await cluster.kubectl(
      ['exec', '-i', 'ticker', '--', 'sh', '-c', 'cat; exit 5'],
      {
        stdin: 'said\n',
      },
    );
    assert.deepEqual({ code, stdout }, { code: 5, stdout: 'said\n' });
    assert.equal(await cluster.kubectlOk(['logs', 'ticker', '--limit-bytes=7']), 'tick 1\n');
    const { stderr } = await cluster.kubectl(['exec', 'missing', '--', 'true']);
    assert.match(stderr, /pods "missing" not found/);
  });
}
