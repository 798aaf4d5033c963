import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { Command } from 'commander';
import { withKubeFlags } from '../cli/flags/kube-flags.ts';
import { createProgram } from '../cli/program.ts';
import { kubercPlace } from './place.ts';
import { aliasForCompletion, preferredLine } from './preferred-line.ts';

const head = 'apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n';
const usual = `${head}
defaults:
- {command: get, options: [{name: output, default: wide}, {name: watch, default: "false"}]}
- {command: set env, options: [{name: dry-run, default: client}]}
aliases:
- {name: getn, command: get, prependArgs: [nodes], options: [{name: output, default: json}]}
- {name: runx, command: run, appendArgs: [--, x], options: [{name: image, default: i}]}
credentialPluginPolicy: DenyAll
`;

describe('preferences', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-kuberc-'));
  const path = join(folder, 'kuberc');
  const { program } = createProgram();
  const { options: globalFlags } = withKubeFlags(new Command());
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(() => writeFileSync(path, usual));

  const lineOf = (line: string) =>
    preferredLine([...line.split(' '), `--kuberc=${path}`], { program: () => program, globalFlags });
  const words = (line: string) =>
    lineOf(line)
      .words.filter((word) => !word.startsWith('--kuberc'))
      .join(' ');

  it('give a command other defaults, where its line does not say otherwise', () => {
    for (const [line, expected] of [
      ['get pods', 'get --output=wide --watch=false pods'],
      ['get pods -oyaml -w', 'get pods -oyaml -w'],
      ['get pods -Aw', 'get --output=wide pods -Aw'],
      ['-n a get pods --output name', '-n a get --watch=false pods --output name'],
      ['set env deploy/x A=b', 'set env --dry-run=client deploy/x A=b'],
      ['set image deploy/x a=b', 'set image deploy/x a=b'],
      ['describe pods', 'describe pods'],
    ] as const)
      assert.equal(words(line), expected);
  });

  it('give commands other names, with words in front of those that are typed and behind them', () => {
    for (const [line, expected] of [
      ['getn a', 'get --output=json nodes a'],
      ['-n b getn a -o wide', '-n b get nodes a -o wide'],
      ['runx pod', 'run --image=i pod'],
      ['unknown pod', 'unknown pod'],
    ] as const)
      assert.equal(words(line).replace(/ -- x$/, ''), expected);
    assert.match(words('runx pod'), / -- x$/);
    assert.deepEqual(lineOf('getn').pluginPolicy, { policy: 'DenyAll', allowlist: undefined });
  });

  it('stand for a command where its line is completed, and run no plugin that they forbid', () => {
    const place = { path, isExplicit: true };
    const line = (...typed: string[]) => aliasForCompletion(typed, { program, place });
    assert.deepEqual(line('getn', '').words, ['get', '--output=json', 'nodes', '']);
    assert.deepEqual(line('ge').words, ['ge']);
    writeFileSync(path, `${head}credentialPluginPolicy: Bogus\n`);
    assert.deepEqual(line('get', '').pluginPolicy, { policy: 'DenyAll' });
  });

  it('are read in both versions, from the first document that has some', () => {
    const older = usual
      .replace('v1beta1', 'v1alpha1')
      .replaceAll('options:', 'flags:')
      .replace('defaults:', 'overrides:')
      .replace(/^credential.*$/m, '');
    for (const text of [older, `---\nkind: Other\n---\n${older}`, `# nothing\n---\n${older}`]) {
      writeFileSync(path, text);
      assert.equal(words('get pods'), 'get --output=wide --watch=false pods');
    }
  });

  it('that can’t be are refused', () => {
    for (const [text, says] of [
      ['aliases: [{name: a-b, command: get}]', /invalid alias name, can only include alphabetical/],
      ['aliases: [{name: a, command: get}, {name: a, command: get}]', /duplicate alias name a$/],
      [
        'aliases: [{name: getn, command: nothing}]',
        /command "nothing" not found to set alias "getn": \[nothing\]$/,
      ],
      [
        'aliases: [{name: getn, command: get, options: [{name: none, default: x}]}]',
        /invalid alias flag none in alias getn$/,
      ],
      [
        'aliases: [{name: getn, command: get, options: [{name: watch, default: x}]}]',
        /could not apply value x to flag watch in alias getn/,
      ],
      [
        'aliases: [{name: getn, command: get, options: [{name: -w, default: x}]}]',
        /should be in long form without dashes$/,
      ],
      [
        'aliases: [{name: getn, command: get}]\ndefaults: [{command: getn, options: []}]',
        /alias getn can not be overridden$/,
      ],
      ['defaults: {}', /kuberc error kuberc: no valid preferences found in/],
      ['credentialPluginPolicy: Some', /unknown plugin policy: "Some"$/],
    ] as const) {
      writeFileSync(path, `${head}${text}\n`);
      assert.throws(() => lineOf('getn'), { name: 'CommandError', message: says });
    }
  });

  it('are where a flag says, a variable, or in the home folder', () => {
    const home = { HOME: '/h' };
    assert.deepEqual(kubercPlace(undefined, home), { path: '/h/.kube/kuberc', isExplicit: false });
    assert.deepEqual(kubercPlace('/a', { ...home, KUBERC: '/b' }), { path: '/a', isExplicit: true });
    assert.deepEqual(kubercPlace(undefined, { ...home, KUBERC: '/b' }), { path: '/b', isExplicit: true });
    assert.equal(kubercPlace(undefined, { ...home, KUBERC: 'off' }), undefined);
    assert.throws(() => kubercPlace('/a', { ...home, KUBERC: 'off' }), /mutually exclusive/);
  });
});
