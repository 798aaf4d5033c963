/** What goes wrong with @kubernetes/client-node, tried with it and with @wherry/client, side by side. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run } from '../e2e/command.ts';
import { scriptPod, TestNode } from '../e2e/node.ts';
import { type Defect, defects } from './clientnode/defects.ts';
import { installClientNode } from './clientnode/install.ts';
import { comparisonPage } from './clientnode/page.ts';
import { plays, startScriptedServer } from './clientnode/scripted-server.ts';

const sides = ['client-node', 'wherry'] as const;
let node: TestNode;
let folder: string;

before(async () => {
  installClientNode();
  folder = mkdtempSync(join(tmpdir(), 'wherry-clientnode-'));
  node = await TestNode.start();
  const page = 'mkdir -p /www; echo "the page" > /www/index.html; httpd -p 8080 -h /www';
  await node.apply(
    scriptPod('servers', `${page}; nc -ll -p 9000 -e sha256sum & sleep 100000`),
    scriptPod('demo', 'sleep 100000'),
  );
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await node?.remove();
});

const outcomes = new Map<string, Promise<string>>();

/** What one side makes of a defect, in words; it is tried once. */
function outcomeOf(defect: Defect, side: (typeof sides)[number]): Promise<string> {
  const key = `${side} ${defect.name}`;
  const outcome = outcomes.get(key) ?? tryOut(defect, side);
  outcomes.set(key, outcome);
  return outcome;
}

async function tryOut({ name }: Defect, side: (typeof sides)[number]): Promise<string> {
  const play = plays[name];
  if (!play) return attempt(name, side, node.kubeconfig);
  await using server = await startScriptedServer(play);
  const kubeconfig = join(folder, `${side}-${name}`);
  // client-node speaks http to nobody whose certificate it would check.
  const cluster = { server: server.url, 'insecure-skip-tls-verify': true };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'it' },
      clusters: [{ name: 'it', cluster }],
      users: [{ name: 'it', user: {} }],
      contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
    }),
  );
  const said = await attempt(name, side, kubeconfig);
  if (name !== 'bookmarks') return said;
  const isAsked = server.requests.some((url) => url.includes('allowWatchBookmarks=true'));
  return isAsked ? 'with bookmarks' : 'without bookmarks';
}

async function attempt(name: string, side: string, kubeconfig: string): Promise<string> {
  const program = join(import.meta.dirname, 'clientnode/defects/run.ts');
  const finished = await run(process.execPath, [program, side, name, kubeconfig, 'default']);
  return finished.stdout.trim() || finished.stderr.trim();
}

describe('@wherry/client beside @kubernetes/client-node', () => {
  for (const defect of defects) {
    it(defect.story, async () => {
      const [theirs, ours] = await Promise.all(sides.map((side) => outcomeOf(defect, side)));
      assert.match(ours ?? '', defect.wherry);
      assert.match(theirs ?? '', defect.clientNode, 'it is mended: take it off the list');
    });
  }

  it('docs/client-comparison.md says what the programs and the defects say', async () => {
    const page = await comparisonPage({ kubeconfig: node.kubeconfig, folder, outcomeOf });
    const file = join(import.meta.dirname, '../docs/client-comparison.md');
    if (process.env['WRITE'] === '1') writeFileSync(file, page);
    assert.equal(
      page,
      readFileSync(file, 'utf8'),
      'make it again: WRITE=1 node --test conformance/clientnode.test.ts',
    );
  });
});
