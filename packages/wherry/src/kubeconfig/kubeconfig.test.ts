import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { giveKubeconfig, takeKubeconfig } from './as-user.ts';
import { callingUser } from './calling-user.ts';
import { mergeKubeconfig, withoutKubeconfig } from './merge.ts';

const kubeconfigOf = (name: string, server: string) =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: { token: 't' } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });

test('a node comes into a kubeconfig beside what is there, once, and is current', () => {
  const mine = `# mine\n${kubeconfigOf('work', 'https://work')}`;
  const once = mergeKubeconfig(mine, kubeconfigOf('wherry-vm', 'https://127.0.0.1:6443'));
  const twice = mergeKubeconfig(once, kubeconfigOf('wherry-vm', 'https://127.0.0.1:7443'));
  assert.match(twice, /^# mine\n/);
  const { clusters, 'current-context': current } = parse(twice);
  assert.equal(current, 'wherry-vm');
  assert.deepEqual(
    clusters.map(({ name, cluster }: { name: string; cluster: { server: string } }) => [
      name,
      cluster.server,
    ]),
    [
      ['work', 'https://work'],
      ['wherry-vm', 'https://127.0.0.1:7443'],
    ],
  );
});

test('a node is taken out again, and what is no kubeconfig is left alone', () => {
  const both = mergeKubeconfig(kubeconfigOf('work', 'https://work'), kubeconfigOf('wherry-vm', 'https://x'));
  const left = parse(withoutKubeconfig(both, 'wherry-vm') ?? '');
  assert.deepEqual([left.clusters.length, left['current-context']], [1, '']);
  assert.equal(withoutKubeconfig(kubeconfigOf('work', 'https://work'), 'wherry-vm'), undefined);
  assert.throws(() => mergeKubeconfig('- a list', kubeconfigOf('x', 'y')), /no kubeconfig/);
});

test('the calling user is the one that sudo names, never root', () => {
  const passwd = () => 'root:x:0:0::/root:/bin/sh\nann:x:1234:1234::/home/ann:/bin/sh\n';
  const sudo = { SUDO_UID: '1234', SUDO_GID: '1234', SUDO_USER: 'ann' };
  assert.equal(callingUser(sudo, passwd)?.home, '/home/ann');
  for (const environment of [{}, { ...sudo, SUDO_UID: '0' }, { ...sudo, SUDO_UID: '99' }]) {
    assert.equal(callingUser(environment, passwd), undefined);
  }
});

const nobody = 65_534;
let home: string;
let kubeconfig: string;

before(() => {
  home = mkdtempSync(join(tmpdir(), 'wherry-home-'));
  chmodSync(home, 0o755);
  chownSync(home, nobody, nobody);
  kubeconfig = join(home, 'node-kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf('wherry-vm', 'https://127.0.0.1:6443'), { mode: 0o600 });
});
after(() => rmSync(home, { recursive: true, force: true }));

const user = () => ({ name: 'nobody', uid: nobody, gid: nobody, home });

test('after sudo the user has a kubeconfig of their own, which goes with the node', () => {
  const path = giveKubeconfig(kubeconfig, user());
  assert.equal(path, join(home, '.kube/config'));
  const { uid, mode } = statSync(join(home, '.kube/config'));
  assert.deepEqual([uid, mode & 0o777], [nobody, 0o600]);
  takeKubeconfig('wherry-vm', user());
  assert.deepEqual(parse(readFileSync(join(home, '.kube/config'), 'utf8')).clusters, []);
});

test("a link in the user's folder leads to no file that is not the user's", () => {
  const secret = join(home, 'root-only');
  mkdirSync(secret, { mode: 0o700 });
  const target = join(secret, 'config');
  writeFileSync(target, kubeconfigOf('work', 'https://work'), { mode: 0o600 });
  rmSync(join(home, '.kube'), { recursive: true, force: true });
  mkdirSync(join(home, '.kube'));
  chownSync(join(home, '.kube'), nobody, nobody);
  symlinkSync(target, join(home, '.kube/config'));
  const before = readFileSync(target, 'utf8');
  try {
    giveKubeconfig(kubeconfig, user());
  } catch {
    // Refused, or a file of the user's own in place of the link: either is right.
  }
  assert.equal(readFileSync(target, 'utf8'), before);
});
