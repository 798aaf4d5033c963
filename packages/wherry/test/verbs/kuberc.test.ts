import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Served } from './served.ts';

describe('preferences at the command line', () => {
  let served: Served;
  before(async () => {
    served = await Served.start();
    await served.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } });
  });
  after(() => served.close());

  it('are set and shown', async () => {
    const path = join(served.server.folder, 'kuberc');
    const set = (line: string) => served.run(`kuberc set --kuberc=${path} ${line}`);
    for (const line of [
      '--section defaults --command get --option output=wide',
      '--section aliases --name getn --command get --prependarg nodes --option output=json',
      '--section credentialplugin --policy Allowlist --allowlist-entry command=login',
    ]) {
      const { code, stdout, stderr } = await set(line);
      assert.deepEqual({ code, stdout }, { code: 0, stdout: `Updated ${path}\n` }, stderr);
    }
    assert.match(
      (await set('--section defaults --command get --option output=json')).stderr,
      /already exist, use --overwrite to replace/,
    );
    const text = readFileSync(path, 'utf8');
    const expected = `aliases:
- command: get
  name: getn
  options:
  - default: json
    name: output
  prependArgs:
  - nodes
apiVersion: kubectl.config.k8s.io/v1beta1
credentialPluginAllowlist:
- command: login
credentialPluginPolicy: Allowlist
defaults:
- command: get
  options:
  - default: wide
    name: output
kind: Preference
`;
    assert.equal(text, expected);
    assert.equal((await served.run(`kuberc view --kuberc=${path}`)).stdout, expected);
  });

  it('take effect in a process of their own', async () => {
    const file = served.server.folder;
    const path = join(file, 'own');
    const alias = '{name: maps, command: get, prependArgs: [cm], options: [{name: output, default: name}]}';
    writeFileSync(path, `apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\naliases: [${alias}]\n`);
    const { code, stdout, stderr } = await served.spawn(['maps', 'one', '--kuberc', path], '');
    assert.deepEqual({ code, stdout }, { code: 0, stdout: 'configmap/one\n' }, stderr);
  });

  it('leave columns of a file and the server’s release to be asked for', async () => {
    const path = join(served.server.folder, 'columns');
    writeFileSync(path, 'NAME  KIND:\n.metadata.name  {.kind}\n');
    const { stdout } = await served.run(`get cm one --match-server-version -o custom-columns-file=${path}`);
    assert.equal(stdout, 'NAME   KIND:\none    ConfigMap\n');
    writeFileSync(path, 'NAME\n.a .b\n');
    assert.match(
      (await served.run(`get cm -o custom-columns-file=${path}`)).stderr,
      /number of headers \(1\) and field specifications \(2\) don't match/,
    );
    writeFileSync(path, 'NAME');
    assert.match((await served.run(`get cm -o custom-columns-file=${path}`)).stderr, /missing spec line/);
    assert.match(
      (await served.run('get cm -o custom-columns-file=/nowhere')).stderr,
      /error reading template \/nowhere, open \/nowhere: no such file or directory/,
    );
  });
});
