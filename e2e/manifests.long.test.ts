/** Every manifest of examples/manifests, applied on one node in a namespace of its own: what its comment shows is what comes. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run } from './command.ts';
import { isAsShown, type ShownCommand, shownCommands } from './console.ts';
import { repository } from './documented-tests.ts';
import { buildTestImage } from './image.ts';
import { eventually, TestNode } from './node.ts';

const folder = new URL('examples/manifests/', repository).pathname;
const image = 'docker.io/library/busybox:1.36';
/** A cron job's next minute, and a pod then. */
const patienceMs = 120_000;
const atOnce = 4;
let node: TestNode;
let home: string;

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'wherry-manifests-'));
  node = await TestNode.start();
  await buildTestImage(node.dataDir, image);
});
after(async () => {
  await node?.remove();
  rmSync(home, { recursive: true, force: true });
});

/** The comment that a manifest begins with. */
const commentOf = (file: string): string[] =>
  /^(?:#.*\n)+/
    .exec(readFileSync(join(folder, file), 'utf8'))?.[0]
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^# ?/, '')) ?? [];

function titleOf(file: string): string {
  const [title] = commentOf(file);
  assert.ok(title, `${file} does not begin with a comment that says what it is`);
  return title;
}

/** What the comment shows. The manifest is applied first, unless that is what is shown. */
function commandsOf(file: string): ShownCommand[] {
  const comment = commentOf(file);
  const from = comment.findIndex((line) => line.startsWith('$ '));
  assert.ok(from > 0, `${file} does not show what comes of it`);
  const shown = shownCommands(`\`\`\`console\n${comment.slice(from).join('\n')}\n\`\`\`\n`);
  const apply = `kubectl apply -f ${file}`;
  if (shown.some(({ command }) => command.includes(`-f ${file}`))) return shown;
  return [
    { command: `${apply} > "$HOME/${file}.log" 2>&1 || cat "$HOME/${file}.log"`, prints: [] },
    ...shown,
  ];
}

/** A kubeconfig in which a namespace is the default one. */
async function kubeconfigOf(namespace: string): Promise<string> {
  const copy = join(home, `${namespace}.kubeconfig`);
  copyFileSync(node.kubeconfig, copy);
  const words = ['config', 'set-context', '--current', `--namespace=${namespace}`, `--kubeconfig=${copy}`];
  await node.kubectlOk(words);
  return copy;
}

/** Runs a command until it prints what is shown: what a pod does takes time. */
async function isShown({ command, prints }: ShownCommand, kubeconfig: string): Promise<void> {
  let printed = '';
  const line = `cd ${folder}\n${command}`;
  const env = { KUBECONFIG: kubeconfig, HOME: home };
  const look = async () => {
    const { stdout, stderr } = await run('bash', ['-c', line], { env });
    printed = stdout + stderr;
    return isAsShown(printed, prints);
  };
  await eventually(command, look, patienceMs).catch(() => {
    assert.fail(`$ ${command}\n${printed}\nbut its comment says:\n${prints.join('\n')}`);
  });
}

describe('manifests', { concurrency: atOnce }, () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  it('are sixty at least', () => assert.ok(files.length >= 60));
  for (const file of files) {
    it(`${file}: ${titleOf(file)}`, async () => {
      const namespace = basename(file, '.yaml');
      await node.kubectlOk(['create', 'namespace', namespace]);
      const kubeconfig = await kubeconfigOf(namespace);
      try {
        for (const command of commandsOf(file)) await isShown(command, kubeconfig);
      } finally {
        const gone = ['--ignore-not-found', '--wait=false', '--now'];
        await run('kubectl', ['delete', '-f', join(folder, file), ...gone], {
          env: { KUBECONFIG: kubeconfig, HOME: home },
        });
        await node.kubectlOk(['delete', 'namespace', namespace, '--wait=false']);
      }
    });
  }
});
