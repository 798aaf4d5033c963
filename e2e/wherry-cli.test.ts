import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { numberedBytes } from './bytes.ts';
import { start } from './command.ts';
import { guardedRegistry } from './guarded-registry.ts';
import { eventually, podOf, scriptPod, TestNode, wherry, wherryEntry } from './node.ts';
import { stretched } from './slowness.ts';

const mebibyte = 1 << 20;
const web = 'mkdir -p /www; hostname > /www/index.html; httpd -f -p 8080 -h /www';
let node: TestNode;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-cli-'));
  node = await TestNode.start();
  await node.apply(
    podOf('plain'),
    podOf('shell', { stdin: true, tty: true, command: ['sh'] }),
    scriptPod('ticker', 'i=0; while true; do i=$((i+1)); echo "tick $i"; usleep 50000; done'),
    podOf('web-one', { command: ['sh', '-c', web] }),
  );
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await node?.remove();
});

const env = () => ({ KUBECONFIG: node.kubeconfig });
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Starts the command line and collects what it prints. */
function startWherry(context: TestContext, ...words: string[]) {
  const child = start(process.execPath, [wherryEntry, ...words], { env: env() });
  context.after(() => child.kill('SIGKILL'));
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said.text += chunk;
    });
  }
  return { child, said };
}

for (const transport of ['websocket', 'spdy']) {
  describe(`wherry over ${transport}`, () => {
    const cli = ([verb = '', ...words]: string[], options = {}) =>
      wherry([verb, '--transport', transport, ...words], { ...options, env: env() });

    test('exec: output apart, exit code, message', async () => {
      const finished = await cli(['exec', 'plain', '--', 'sh', '-c', 'echo out; echo err >&2; exit 9']);
      assert.equal(finished.stdout, 'out\n');
      assert.equal(finished.stderr, 'err\ncommand terminated with exit code 9\n');
      assert.equal(finished.code, 9);
    });

    test('exec -i: 64 MiB in, to a process without stdout', { timeout: stretched(60_000) }, async () => {
      const { stream, sha256: expected } = numberedBytes(64 * mebibyte);
      const words = ['exec', '-i', 'plain', '--', 'sh', '-c', 'cat > /tmp/in'];
      assert.equal((await cli(words, { stdin: stream })).code, 0);
      const { stdout } = await cli(['exec', 'plain', '--', 'sha256sum', '/tmp/in']);
      assert.equal(stdout.split(' ')[0], expected);
    });

    test('cp: a tree goes in and comes back, links and escapes are left out with a warning', async () => {
      const source = join(folder, `tree-${transport}`);
      mkdirSync(join(source, "it's here", 'empty'), { recursive: true });
      const content = randomBytes(5 * mebibyte);
      writeFileSync(join(source, "it's here", 'big file'), content);
      writeFileSync(join(source, 'none'), '');
      symlinkSync('none', join(source, 'link'));
      assert.equal((await cli(['cp', source, `plain:/tmp/tree-${transport}`])).code, 0);
      const back = join(folder, `back-${transport}`);
      const finished = await cli(['cp', `plain:/tmp/tree-${transport}`, back]);
      assert.equal(finished.code, 0, finished.stderr);
      assert.equal(sha256(readFileSync(join(back, "it's here", 'big file'))), sha256(content));
      assert.match(finished.stderr, /warning: skipping symlink: ".*link" -> "none"/);
    });

    test('cp: what fails on the far side is a failure here', async () => {
      const absent = await cli(['cp', 'plain:/no/such/file', join(folder, 'absent')]);
      assert.equal(absent.code, 1);
      assert.match(absent.stderr, /tar in the container ended with exit code 1/);
      const local = await cli(['cp', '/no/such/local', 'plain:/tmp/x']);
      assert.match(local.stderr, /\/no\/such\/local doesn't exist in local filesystem/);
    });

    test('port-forward: a refused port fails alone', async (context) => {
      const { child, said } = startWherry(
        context,
        'port-forward',
        '--transport',
        transport,
        'web-one',
        ':8080',
        ':9999',
      );
      await eventually('the listeners', () => /-> 9999/.test(said.text));
      const port = (remote: number) =>
        Number(new RegExp(`127\\.0\\.0\\.1:(\\d+) -> ${remote}`).exec(said.text)?.[1]);
      await new Promise<void>((resolve) => {
        const refused = connect(port(9999), '127.0.0.1');
        refused.on('error', () => {}).on('close', () => resolve());
      });
      const page = await (await fetch(`http://127.0.0.1:${port(8080)}/`)).text();
      child.kill('SIGINT');
      assert.equal(page, 'web-one\n');
      assert.match(said.text, /an error occurred forwarding \d+ -> 9999/);
    });
  });
}

test('the terminal is as it was after a session, however it ended', async () => {
  const session = `${process.execPath} ${wherryEntry} exec -it plain -- `;
  for (const end of [`${session} stty size`, `${session} sh -c 'exit 3'`, `${session} sh -c 'kill -9 $$'`]) {
    const line = `stty -g > ${folder}/before; ${end}; stty -g > ${folder}/after`;
    await node.inTerminal(line);
    assert.equal(
      readFileSync(join(folder, 'after'), 'utf8'),
      readFileSync(join(folder, 'before'), 'utf8'),
      end,
    );
  }
});

test('status says what lives, and where it is reached', async () => {
  const words = ['status', '--data-dir', node.dataDir];
  const { stdout, stderr, code } = await wherry([...words, '--json']);
  assert.equal(code, 0, stderr);
  const status = JSON.parse(stdout);
  assert.deepEqual(status, await node.status());
  assert.equal(status.node.ready, 'True');
  const table = (await wherry(words)).stdout;
  assert.match(table, /^node e2e: Ready$/m);
  for (const { role, pid } of status.processes)
    assert.match(table, new RegExp(`^${role} +${pid} +running$`, 'm'));
});

test('detach keys end an attach session and leave the process', { timeout: stretched(60_000) }, async () => {
  const keys = "(sleep 2; printf '\\020\\021'; sleep 2)";
  const line = `${keys} | script -qec '${process.execPath} ${wherryEntry} attach -it shell' /dev/null`;
  const { stdout } = await node.inTerminal(line);
  assert.match(stdout, /Session ended, resume using 'wherry attach shell -c main -i -t'/);
  assert.equal(await node.kubectlOk(['get', 'pod', 'shell', '-o', 'jsonpath={.status.phase}']), 'Running');
});

test('a followed log lives through the death of the API server, without a lost or doubled line', {
  timeout: stretched(120_000),
}, async (context) => {
  const { child, said } = startWherry(context, 'logs', '-f', 'ticker', '--tail=1');
  await eventually('the first lines', () => said.text.split('\n').length > 20);
  process.kill(await node.pidOf('apiserver'), 'SIGKILL');
  await node.up();
  const sofar = said.text.split('\n').length;
  await eventually('more lines', () => said.text.split('\n').length > sofar + 40);
  child.kill('SIGINT');
  const numbers = [...said.text.matchAll(/tick (\d+)\n/g)].map((match) => Number(match[1]));
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => (numbers[0] ?? 0) + index),
  );
});

test('a forward to a service goes on with the next pod behind the same listener', {
  timeout: stretched(120_000),
}, async (context) => {
  const labelled = (name: string) => {
    const pod = podOf(name, { command: ['sh', '-c', web] });
    return { ...pod, metadata: { name, labels: { tier: 'front' } } };
  };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'front' },
    spec: { selector: { tier: 'front' }, ports: [{ port: 80, targetPort: 8080 }] },
  };
  await node.apply(service, labelled('front-one'));
  const { child, said } = startWherry(context, 'port-forward', 'svc/front', ':80');
  await eventually('the listener', () => /127\.0\.0\.1:\d+ -> 8080/.test(said.text));
  const url = `http://127.0.0.1:${/127\.0\.0\.1:(\d+) ->/.exec(said.text)?.[1]}/`;
  const page = () =>
    fetch(url, { headers: { connection: 'close' } })
      .then((answer) => answer.text())
      .catch(() => '');
  await eventually('the first pod', async () => (await page()) === 'front-one\n');
  await node.kubectlOk(['delete', 'pod', 'front-one', '--force', '--grace-period=0']);
  await node.apply(labelled('front-two'));
  await eventually('the second pod', async () => (await page()) === 'front-two\n', 60_000);
  child.kill('SIGINT');
});

test('cri verbs see and reach the same containers', async () => {
  const cri = (...words: string[]) => wherry(['cri', ...words, '--data-dir', node.dataDir]);
  assert.match((await cri('ps')).stdout, /Running +main/);
  assert.match((await cri('pods')).stdout, /Ready +plain +default/);
  const { id } = JSON.parse((await cri('ps', '--json')).stdout)[0];
  assert.equal(JSON.parse((await cri('inspect', id)).stdout).status.id, id);
  for (const way of [['--transport=websocket'], ['--transport=spdy'], ['--sync']]) {
    const words = [
      'cri',
      'exec',
      '--data-dir',
      node.dataDir,
      ...way,
      id,
      '--',
      'sh',
      '-c',
      'echo in; exit 5',
    ];
    const { stdout, code } = await wherry(words);
    assert.deepEqual({ way, stdout, code }, { way, stdout: 'in\n', code: 5 });
  }
});

test('up takes another configuration of registries while the node runs: a name no network has is pulled', async () => {
  await using registry = await guardedRegistry('crew', 'aboard');
  const auth = Buffer.from('crew:aboard').toString('base64');
  const config = join(folder, 'certs.d');
  mkdirSync(join(config, 'fleet.test'), { recursive: true });
  const text = `server = "http://${registry.address}"\n`;
  writeFileSync(join(config, 'fleet.test/hosts.toml'), `${text}dial_timeout = "soon"\n`);
  const up = () => wherry(['up', '--detach', '--data-dir', node.dataDir, '--registry-config', config]);
  const refused = await up();
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^error: registry configuration ".*hosts\.toml": "dial_timeout" is "soon", want such as 3s/m,
  );
  writeFileSync(join(config, 'fleet.test/hosts.toml'), text);
  assert.equal((await up()).code, 0);
  const dockerConfig = JSON.stringify({ auths: { 'fleet.test': { auth } } });
  await node.apply(
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'crew' },
      type: 'kubernetes.io/dockerconfigjson',
      stringData: { '.dockerconfigjson': dockerConfig },
    },
    podOf(
      'moored',
      { image: 'fleet.test/team/app:1', imagePullPolicy: 'Always' },
      { imagePullSecrets: [{ name: 'crew' }] },
    ),
  );
  assert.ok(registry.seen.includes(`Basic ${auth}`));
  assert.equal(await node.kubectlOk(['exec', 'plain', '--', 'echo', 'still here']), 'still here\n');
});
