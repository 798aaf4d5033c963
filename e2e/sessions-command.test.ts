/** `wherry sessions` on a real node with a real kubectl: the table, its watch, and every hop of one session. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, copyFileSync, rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { SessionList } from '@wherry/telemetry';
import { run, start } from './command.ts';
import { eventually, podOf, TestNode, transports, wherry, wherryEntry } from './node.ts';

const name = 'session-lines';

let node: TestNode;
before(async () => {
  node = await TestNode.start(name);
  await node.apply(podOf('target'));
});
after(() => node?.remove());

const env = () => ({ KUBECONFIG: node.kubeconfig });
const lines = (...words: string[]) => wherry(['sessions', ...words], { env: env() });
const rowsOf = async (...words: string[]) =>
  (await lines(...words)).stdout.split('\n').slice(1).filter(Boolean);

/** The id of the session whose command ends so, as it is told to programs. */
async function idOf(word: string): Promise<string> {
  return eventually(`the session of ${word}`, async () => {
    const { stdout } = await lines('--ended', '-o', 'json');
    const paths = JSON.parse(stdout || '[]') as { id: string; command?: string[]; hops: unknown[] }[];
    return paths.find(({ command, hops }) => command?.at(-1) === word && hops.length === 3)?.id;
  });
}

for (const { name: transport, env: more, skip } of transports) {
  test(`over ${transport}: a session is listed, shown hop by hop while it lasts, and with its exit code after`, {
    skip,
  }, async () => {
    const script = `cat >/dev/null; exit 7 # ${transport}`;
    const child = node.startKubectl(['exec', '-i', 'target', '--', 'sh', '-c', script], more);
    child.stdin.write('x'.repeat(1_000));
    const id = await idOf(script);
    const live = await eventually('the input at the process', async () => {
      const shown = (await lines('show', id.slice(0, 10))).stdout;
      return /stdin +1000 B/.test(shown) && shown;
    });
    const word = transport === 'WebSocket' ? 'WebSocket v5' : 'SPDY/3.1 v4';
    assert.match(live, new RegExp(`^Session +${id}$`, 'm'));
    assert.match(live, new RegExp(String.raw`^API server +${word}\.channel\.k8s\.io \S+:\d+ .* open$`, 'm'));
    assert.match(live, new RegExp(`^kubelet of ${name} +${word}`, 'm'));
    assert.match(
      live,
      new RegExp(String.raw`^streaming server of ${name} +SPDY/3\.1 v4.*stdin +1000 B +- .*open$`, 'm'),
    );
    assert.doesNotMatch(live, /not seen/);
    const [row = ''] = (await rowsOf()).filter((one) => one.startsWith(id.slice(0, 8)));
    assert.match(
      row,
      new RegExp(String.raw`exec +target/main +\S+ +${word} +SPDY/3\.1 v4 +1000 B +0 B +\d+s +open$`),
    );
    child.stdin.end();
    const [code] = await once(child, 'exit');
    assert.equal(code, 7);
    const over = await eventually('its end at all hops', async () => {
      const shown = (await lines('show', id)).stdout;
      return /^State +ended with exit code 7$/m.test(shown) && shown;
    });
    assert.match(over, /^Ended +\S+Z, after \d+ s$/m);
    assert.match(over, new RegExp(`^streaming server of ${name} .* ended with exit code 7$`, 'm'));
    assert.ok(!(await rowsOf()).some((one) => one.startsWith(id.slice(0, 8))), 'it is over');
    assert.ok((await rowsOf('--ended')).some((one) => one.startsWith(id.slice(0, 8))));
  });
}

test('a reader that reads no more is told of, and by which hop', async () => {
  const child = node.startKubectl(['exec', 'target', '--', 'cat', '/dev/zero']);
  child.stdout.pause();
  const id = await idOf('/dev/zero');
  const row = await eventually('the wait', async () =>
    (await rowsOf('-o', 'wide')).find((one) => one.startsWith(id.slice(0, 8)) && / waits for /.test(one)),
  );
  assert.match(row, /API server waits for the client .*cat \/dev\/zero$/);
  assert.match(
    (await lines('show', id)).stdout,
    /^State +open; the API server waits for the client, for \d+ s$/m,
  );
  child.kill('SIGKILL');
});

test('-w tells of sessions as they come and go, and ends with Ctrl-C', async () => {
  const child = start(process.execPath, [wherryEntry, 'sessions', '-w'], { env: env() });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk));
  await eventually('the header', () => /^ID +KIND +POD/.test(text));
  await node.kubectl(['exec', 'target', '--', 'sh', '-c', 'sleep 3; exit 5']);
  const rows = await eventually('its end', () => /exit code 5/.test(text) && text.split('\n'));
  const [end = ''] = rows.filter((row) => /exit code 5/.test(row));
  const [id = ''] = end.split(' ');
  assert.ok(rows.findIndex((row) => row.startsWith(id) && / open$/.test(row)) < rows.indexOf(end));
  child.kill('SIGINT');
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGINT']);
});

test('what a command has in it does nothing to the terminal that lists it', async () => {
  await node.kubectl(['exec', 'target', '--', 'echo', '\u001b[2J\u009b31m\u202eevil\nrow']);
  const { stdout } = await lines('--ended', '-o', 'wide');
  assert.ok(stdout.includes(String.raw`\x1b[2J\x9b31m\u202eevil\nrow`), stdout);
  for (const format of ['wide', 'json', 'yaml', 'jsonpath={[*].command}'])
    assert.doesNotMatch(
      (await lines('--ended', '-o', format)).stdout.replaceAll('\n', ''),
      /[\p{Cc}\p{Cf}]/u,
      format,
    );
});

test('a streaming server whose socket is for root is named as not seen, and the other hops are shown', async (context) => {
  const child = node.startKubectl(['exec', '-i', 'target', '--', 'cat']);
  const id = await idOf('cat');
  const kubeconfig = `${node.dataDir}-of-a-user`;
  context.after(() => rmSync(kubeconfig, { force: true }));
  copyFileSync(node.kubeconfig, kubeconfig);
  chmodSync(kubeconfig, 0o644);
  const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
  const words = [wherryEntry, 'sessions', 'show', id, '--kubeconfig', kubeconfig];
  const { stdout, stderr } = await run('setpriv', [...nobody, process.execPath, ...words], {
    env: { HOME: '/tmp' },
  });
  assert.match(stdout, /^API server /m, stderr);
  assert.match(
    stdout,
    new RegExp(`^not seen: streaming server of ${name}: its list is read by a socket`, 'm'),
  );
  child.kill('SIGKILL');
});

test('what there is not is said, and ends with 1', async () => {
  const unknown = await lines('show', 'none');
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /^error: no session has the id "none"/);
  const elsewhere = await lines('--node', 'elsewhere');
  assert.match(elsewhere.stderr, /kubelet of elsewhere: nodes "elsewhere" not found/);
  const watched = await lines('-w', '-o', 'yaml');
  assert.deepEqual([watched.code, /--watch shows a table/.test(watched.stderr)], [1, true]);
});

test('while the API server is away, the streaming server of this machine still tells', async () => {
  const child = node.startKubectl(['exec', '-i', 'target', '--', 'tail', '-f', '/dev/null']);
  const id = await idOf('/dev/null');
  const { code, stdout, stderr } = await lines('show', id, '--server', 'https://127.0.0.1:1');
  assert.equal(code, 0, stderr);
  assert.match(stdout, new RegExp(`^streaming server of ${name} `, 'm'));
  assert.match(stdout, /^not seen: API server: .*127\.0\.0\.1:1/m);
  child.kill('SIGKILL');
});

/** The home of a console that this command line starts, and who has logged in there. */
async function consoleOf(words: readonly string[]) {
  const child = start(process.execPath, [wherryEntry, 'console', ...words], { env: env() });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk));
  const link = await eventually('the link', () => /^open (\S+)$/m.exec(text)?.[1]);
  const login = await fetch(link);
  const [, home = ''] = /url=([^"]+)"/.exec(await login.text()) ?? [];
  const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
  const url = new URL(`${home}streaming-servers.json`, link);
  return {
    child,
    async read() {
      const answer = await fetch(url, { headers: { cookie } });
      return (await answer.json()) as { lists: SessionList[]; unseen: { reason: string }[] };
    },
  };
}

test('the console on the node’s machine has the streaming server’s sessions, for whom the kubelet shows its own', async () => {
  const child = node.startKubectl(['exec', '-i', 'target', '--', 'sort']);
  const id = await idOf('sort');
  const own = await consoleOf([]);
  const { lists } = await own.read();
  assert.deepEqual(
    lists.map(({ hop, node }) => [hop, node]),
    [['streaming-server', name]],
  );
  assert.ok(lists[0]?.items.some((item) => item.id === id));
  const other = await consoleOf(['--as', 'somebody']);
  const told = await other.read();
  assert.deepEqual(told.lists, []);
  assert.match(told.unseen[0]?.reason ?? '', /forbidden/);
  for (const one of [own.child, other.child, child]) one.kill('SIGKILL');
});
