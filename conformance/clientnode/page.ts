import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKubeClient } from '@wherry/client';
import { type Finished, run } from '../../e2e/command.ts';
import { type Defect, defects } from './defects.ts';

/** What the page is made from. */
export interface ComparisonOptions {
  /** Of a node with the pods `demo` and `servers`. */
  kubeconfig: string;
  /** For files of one's own. */
  folder: string;
  outcomeOf(defect: Defect, side: 'client-node' | 'wherry'): Promise<string>;
}

const programs = [
  { name: 'list-watch', title: 'List and watch', args: [], failing: undefined },
  { name: 'exec', title: 'Exec with input and exit code', args: ['demo'], failing: ['missing'] },
  { name: 'forward', title: 'Forward a port', args: ['servers'], failing: ['missing'] },
  { name: 'apply', title: 'Apply a file', args: ['manifests.yaml'], failing: ['broken.yaml'] },
] as const;
const sides = ['client-node', 'wherry'] as const;
const names = { 'client-node': '@kubernetes/client-node 2.0.1', wherry: '@wherry/client' };

const manifests = `
{ apiVersion: v1, kind: ConfigMap, metadata: { name: first, namespace: default } }
---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: second, namespace: default } }
`;
const broken =
  '{ apiVersion: v1, kind: Service, metadata: { name: broken, namespace: default }, spec: { ports: [{}] } }';

/** The text of docs/client-comparison.md: the programs of both sides are run, and the defects tried. */
export async function comparisonPage(options: ComparisonOptions): Promise<string> {
  writeFileSync(join(options.folder, 'manifests.yaml'), manifests);
  writeFileSync(join(options.folder, 'broken.yaml'), broken);
  const typeErrors = checkTypes();
  const sections: string[] = [];
  for (const { name, title, args, failing } of programs) {
    const rows = [];
    for (const side of sides) {
      const file = join(import.meta.dirname, 'programs', `${name}.${side}.ts`);
      const text = readFileSync(file, 'utf8');
      const { stdout } = await start(file, args, options);
      const failure = failing ? errorOf(await start(file, failing, options)) : '–';
      const claims = [...text.matchAll(/\bas (?!const\b)|\(type: string|: unknown\)/g)].length;
      const lines = text.split('\n').filter((line) => /\S/.test(line) && !/^\s*\/\//.test(line)).length;
      const errors = typeErrors.filter((line) => line.includes(`${name}.${side}.ts`)).length;
      rows.push(`| ${names[side]} | ${lines} | ${claims} | ${errors} | ${told(stdout)} | ${failure} |`);
    }
    const codes = sides.map((side) => {
      const text = readFileSync(join(import.meta.dirname, 'programs', `${name}.${side}.ts`), 'utf8');
      return `${names[side]}:\n\n\`\`\`ts\n${text}\`\`\`\n`;
    });
    const head =
      '| client | lines | types claimed by hand | type errors | prints | when it goes wrong |\n| --- | ---: | ---: | ---: | --- | --- |';
    sections.push(`## ${title}\n\n${head}\n${rows.join('\n')}\n\n${codes.join('\n')}`);
  }
  const tried = [];
  for (const defect of defects) {
    const [theirs, ours] = await Promise.all(sides.map((side) => options.outcomeOf(defect, side)));
    const issue = defect.issue ? ` (kubernetes-client/javascript#${defect.issue})` : '';
    tried.push(`| ${defect.story}${issue} | ${told(theirs ?? '')} | ${told(ours ?? '')} |`);
  }
  return `${intro}\n${sections.join('\n')}\n## What goes wrong\n\n${defectsHead}\n${tried.join('\n')}\n`;
}

const intro = `# @wherry/client beside @kubernetes/client-node

Made by \`WRITE=1 node --test conformance/clientnode.test.ts\`, which runs each program against a wherry node, tries each
defect with both clients, and compares this page with what came of it. “Types claimed by hand” are places where the program
tells the compiler, or takes from it untyped, what the client does not say.
`;
const defectsHead = `Each is tried with both, the informers against a scripted API server, the rest against a node.

| what happens | @kubernetes/client-node 2.0.1 | @wherry/client |
| --- | --- | --- |`;

/** Output as one cell of a table; what is random there is left out. */
function told(text: string): string {
  const calm = text
    .trim()
    .replace(/^[0-9a-f]{64} .*/, 'the answer')
    .replace(/ to pod [0-9a-f]{64}.*/s, ' …')
    .replaceAll('|', '\\|');
  const lines = calm.split('\n').filter((line) => !/kube-root-ca/.test(line));
  return lines.join(' · ') || 'nothing';
}

const messageCharactersMax = 160;

/** What a program says that ends because of a failure: the line that names it, without where that is in which file. */
function errorOf({ code, stderr }: Finished): string {
  const line = stderr
    .split('\n')
    .find((each) => /^(\[?\w*(Error|Exception|Event)\b)/.test(each) || /^Error\b/.test(each));
  const text = (line ?? '')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/ \{$/, '')
    .trim();
  if (text === '') return code === 0 ? 'nothing is said' : 'the program ends, and says nothing of it';
  return told(text.slice(0, messageCharactersMax));
}

function checkTypes(): string[] {
  try {
    execFileSync('npx', ['tsc', '-p', import.meta.dirname], { stdio: 'pipe' });
    return [];
  } catch (error) {
    return String((error as { stdout?: Buffer }).stdout)
      .split('\n')
      .filter((line) => /error TS/.test(line));
  }
}

async function start(file: string, args: readonly string[], { kubeconfig, folder }: ComparisonOptions) {
  const client = createKubeClient({ kubeconfig });
  await client.delete('ConfigMap/signal').catch(() => {});
  const paths = args.map((arg) => (arg.endsWith('.yaml') ? join(folder, arg) : arg));
  let stdout = '';
  const listed = Promise.withResolvers<void>();
  const onStdout = (chunk: Buffer) => {
    stdout += chunk;
    if (/kube-root-ca/.test(stdout)) listed.resolve();
  };
  const running = run(process.execPath, [file, ...paths], { env: { KUBECONFIG: kubeconfig }, onStdout });
  try {
    if (file.includes('list-watch')) {
      await Promise.race([listed.promise, running]);
      await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'signal' } });
    }
    return { ...(await running), stdout };
  } finally {
    await client.delete('ConfigMap/signal').catch(() => {});
    client.close();
  }
}
