/** k9s at a terminal before a real node: what its users look at, and what they do from there. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../e2e/free-port.ts';
import { testImage } from '../../e2e/image.ts';
import { eventually, podOf, TestNode } from '../../e2e/node.ts';
import { Tmux } from '../../e2e/tmux.ts';
import { buildProgram } from './build.ts';

const stepMs = 60_000;
const script = 'n=0; while :; do n=$((n+1)); echo line $n; sleep 1; done & exec httpd -f -p 8080 -h /etc';

let node: TestNode;
let folder: string;
let tmux: Tmux;

before(async () => {
  const program = await buildProgram('k9s');
  folder = mkdtempSync(join(tmpdir(), 'wherry-k9s-'));
  node = await TestNode.start('watched');
  const container = { command: ['sh', '-c', script], ports: [{ name: 'web', containerPort: 8080 }] };
  const labels = { app: 'many' };
  const template = { metadata: { labels }, spec: podOf('many', { image: testImage }).spec };
  await node.apply(podOf('talks', container), {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'many' } },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  });
  mkdirSync(join(folder, '.config/k9s'), { recursive: true });
  const settings = { k9s: { skipLatestRevCheck: true, ui: { splashless: true, logoless: true } } };
  writeFileSync(join(folder, '.config/k9s/config.yaml'), JSON.stringify(settings));
  const editor = join(folder, 'editor');
  writeFileSync(editor, '#!/bin/sh\nsed -i "s/app: talks/app: edited/" "$1"\n', { mode: 0o755 });
  tmux = await Tmux.start({ KUBECONFIG: node.kubeconfig, HOME: folder, EDITOR: editor, K9S_EDITOR: editor });
  tmux.keys(`${program} --logFile ${join(folder, 'log')}`, 'Enter');
  await shown(/pods\(default\)\[2\]/);
});
after(async () => {
  tmux?.[Symbol.dispose]();
  await node?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** What stands on the screen, once it is like that. */
const shown = (wanted: RegExp) =>
  eventually(
    `${wanted} on the screen`,
    () => {
      const screen = tmux.screen();
      return wanted.test(screen) && screen;
    },
    stepMs,
  ).catch((error: Error) => {
    throw new Error(`${error.message}; there is\n${tmux.screen()}`);
  });

/** Types a command of k9s, and waits for the list that it leads to. */
async function list(command: string, title: RegExp): Promise<string> {
  tmux.keys(':');
  await delay(200);
  tmux.keys(command, 'Enter');
  return shown(title);
}

/** Puts the cursor on the one row that a list has left by its filter. */
async function only(word: string): Promise<void> {
  tmux.keys('/');
  await delay(200);
  tmux.keys(word, 'Enter');
  await shown(new RegExp(`\\[1\\].*<.?/?${word}|</${word}>`));
}

test('every kind that can be listed has its list', async () => {
  const words = ['api-resources', '--verbs=list', '--no-headers', '-o', 'name'];
  const names = (await node.kubectlOk(words)).trim().split('\n');
  assert.ok(names.length > 40, String(names.length));
  for (const name of names) {
    const [plural = '', group] = name.split(/\.(.*)/s);
    // What is measured has its columns beside pods and nodes.
    if (group === 'metrics.k8s.io') continue;
    // Namespaces with a name lead to what is in it.
    const where = plural === 'namespaces' ? '' : ' all';
    await list(`${plural}${where}`, new RegExp(`\\b${plural}(\\(.*\\))?\\[\\d+\\]`, 'i'));
  }
});

test('pods and nodes have what they take beside them', async () => {
  const pods = await list('pods default', /pods\(default\)\[2\]/);
  assert.match(pods, /K8s Rev: +v1\.36/);
  await shown(/talks .*1\/1 +Running +0 +\d+ .* \d+\.\d+\.\d+\.\d+ +watched/);
  await list('nodes', /nodes\(?.*\[1\]/i);
  await shown(/watched +Ready +control-plane .* [1-9]\d* +[1-9]\d* +\d+ +[1-9]\d*/);
  await list('events default', /events\(default\)\[\d+\]/);
  await shown(/Normal +Started +pod\/talks/);
});

test('a pod is described, shown as YAML, and its log followed', async () => {
  await list('pods default', /pods\(default\)\[2\]/);
  await only('talks');
  tmux.keys('d');
  await shown(/Describe\(default\/talks\)[\s\S]*Service Account: +default/);
  tmux.keys('Escape');
  await shown(/pods\(default\)/);
  tmux.keys('y');
  await shown(/YAML\(default\/talks\)[\s\S]*kind: Pod/);
  tmux.keys('Escape');
  await shown(/pods\(default\)/);
  tmux.keys('l');
  const screen = await shown(/Logs\(default\/talks.*\)[\s\S]*line \d+/);
  const lines = [...screen.matchAll(/line (\d+)/g)].map(([, count]) => Number(count));
  await shown(new RegExp(`line ${lines.at(-1)! + 2}\\b`));
  tmux.keys('Escape');
  await shown(/pods\(default\)/);
});

test('a shell in a pod, and a port that is forwarded', async () => {
  tmux.keys('s');
  await shown(/Pod: default\/talks \| Container: main[\s\S]*#/);
  tmux.keys('echo in $((6*7)) $HOSTNAME', 'Enter');
  await shown(/in 42 talks/);
  tmux.keys('exit', 'Enter');
  await shown(/pods\(default\)/);
  tmux.keys('F');
  await shown(/<PortForward>[\s\S]*Container Port: main::8080/);
  const port = await freePort();
  // From the port of the container to that of the machine, which is written anew.
  tmux.keys('Tab', 'C-u', String(port), 'Tab', 'Tab', 'Enter');
  await shown(/Ⓕ/);
  assert.match(await (await fetch(`http://127.0.0.1:${port}/passwd`)).text(), /^root:/);
  await list('portforwards', /port-?forwards?.*\[1\]/i);
  await shown(new RegExp(`talks.*${port}`));
});

test('what is edited, scaled, restarted and deleted there is', async () => {
  await list('pods default', /pods\(default\)\[2\]/);
  await only('talks');
  tmux.keys('e');
  const label = ['get', 'pod', 'talks', '-o', 'jsonpath={.metadata.labels.app}'];
  await eventually('the edit', async () => (await node.kubectlOk(label)) === 'edited', stepMs);
  await shown(/pods\(default\)/);
  await list('deployments default', /deployments\(default\)\[1\]/);
  tmux.keys('s');
  await shown(/Scale[\s\S]*Replicas/);
  tmux.keys('C-u', '3', 'Tab', 'Enter');
  await node.kubectlOk([
    'wait',
    '--for=jsonpath={.status.readyReplicas}=3',
    'deployment/many',
    '--timeout=60s',
  ]);
  await shown(/many +3\/3/);
  tmux.keys('r');
  await shown(/Restart/i);
  tmux.keys('Tab', 'Enter');
  const stamp = 'jsonpath={..annotations.kubectl\\.kubernetes\\.io/restartedAt}';
  await eventually(
    'the restart',
    async () => (await node.kubectlOk(['get', 'deployment', 'many', '-o', stamp])) !== '',
    stepMs,
  );
  await list('pods default', /pods\(default\)\[\d\]/);
  await only('talks');
  tmux.keys('C-d');
  await shown(/<Delete>/);
  tmux.keys('Tab', 'Enter');
  await node.kubectlOk(['wait', '--for=delete', 'pod/talks', '--timeout=60s']);
});

test('it has logged no error', () => {
  const lines = readFileSync(join(folder, 'log'), 'utf8').split('\n');
  const complaints = lines.filter((line) => /\b(ERR|WRN|error|warn)\b/i.test(line));
  const known = new RegExp(
    [
      // An empty list is a warning to it, and so is a first start.
      ...['No resources found', 'invalid context specified'],
      // It looks for what has no namespace in the one that it is in, too, as it does anywhere.
      'failed to list .* the server could not find the requested resource',
    ].join('|'),
  );
  assert.deepEqual(
    complaints.filter((line) => !known.test(line)),
    [],
  );
});
