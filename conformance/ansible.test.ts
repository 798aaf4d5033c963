/** Ansible's collection kubernetes.core on a whole node: what its modules say that they have done. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from '../e2e/command.ts';
import { testImage as image } from '../e2e/image.ts';
import { TestNode } from '../e2e/node.ts';
import { pythonEnvironment } from './pythonclients/build.ts';
import { compareTold } from './pythonclients/told.ts';

const playbook = join(import.meta.dirname, 'pythonclients/playbook.yaml');
let node: TestNode;

before(async () => {
  node = await TestNode.start('ansible');
});
after(() => node?.remove());

test('the modules of Ansible’s kubernetes.core do as they say, in check mode too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-ansible-'));
  const environment = pythonEnvironment('python-ansible', 'requirements-ansible.txt');
  mkdirSync(join(folder, 'tree/sub'), { recursive: true });
  writeFileSync(join(folder, 'tree/one'), 'one\n');
  writeFileSync(join(folder, 'tree/sub/two'), 'two\n');
  const values = {
    ...{ kubeconfig: node.kubeconfig, image, node: node.name, folder: join(folder, 'tree') },
    ...{ ansible_python_interpreter: join(environment, 'python'), told: join(folder, 'told') },
  };
  try {
    const words = ['-i', 'localhost,', playbook, '-e', JSON.stringify(values)];
    const { code, stdout, stderr } = await run(join(environment, 'ansible-playbook'), words, {
      timeoutMs: 600_000,
      env: {
        ...{ ANSIBLE_HOME: folder, ANSIBLE_LOCALHOST_WARNING: 'False', K8S_AUTH_KUBECONFIG: node.kubeconfig },
        ...{ ANSIBLE_NOCOLOR: '1', LC_ALL: 'C.UTF-8' },
      },
    });
    assert.equal(code, 0, `${stdout}${stderr}`);
    compareTold('ansible', readFileSync(join(folder, 'told'), 'utf8'), stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
