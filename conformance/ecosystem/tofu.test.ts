/** OpenTofu with its state in a cluster: Secrets hold it, Leases lock it, with the rights that it asks for and no more. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { run } from '../../e2e/command.ts';
import { eventually, TestNode } from '../../e2e/node.ts';
import { buildProgram } from './build.ts';

let node: TestNode;
let folder: string;
let program: string;

/** Its provisioner waits for a file, so that others come while the state is locked. */
const configuration = `
terraform {
  backend "kubernetes" {
    secret_suffix = "state"
    namespace     = "default"
  }
}
variable "greeting" { default = "hello" }
resource "terraform_data" "said" {
  input            = var.greeting
  triggers_replace = var.greeting
  provisioner "local-exec" { command = "until [ -e go ]; do sleep 0.1; done" }
}
output "said" { value = terraform_data.said.output }
`;

const rights = {
  ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'tofu' } },
  rules: [
    {
      ...{ apiGroups: [''], resources: ['secrets'] },
      verbs: ['get', 'list', 'create', 'update', 'patch', 'delete'],
    },
    {
      ...{ apiGroups: ['coordination.k8s.io'], resources: ['leases'] },
      verbs: ['get', 'list', 'create', 'update', 'delete'],
    },
  ],
};

before(async () => {
  program = await buildProgram('tofu');
  folder = mkdtempSync(join(tmpdir(), 'wherry-tofu-'));
  writeFileSync(join(folder, 'main.tf'), configuration);
  writeFileSync(join(folder, 'settings'), '');
  node = await TestNode.start('planned');
  const name = 'tofu';
  await node.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } }, rights, {
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
  });
  await writeKubeconfig();
});
after(async () => {
  await node?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** As the service account, by its token. */
async function writeKubeconfig(): Promise<void> {
  const config = JSON.parse(await node.kubectlOk(['config', 'view', '--raw', '--flatten', '-o', 'json']));
  const token = await node.createToken('tofu');
  const users = [{ name: 'tofu', user: { token } }];
  const contexts = [{ name: 'tofu', context: { cluster: config.clusters[0].name, user: 'tofu' } }];
  const own = { ...config, users, contexts, 'current-context': 'tofu' };
  writeFileSync(join(folder, 'kubeconfig'), JSON.stringify(own));
}

function tofu(...words: string[]) {
  const env = {
    ...{ HOME: folder, CHECKPOINT_DISABLE: '1', TF_CLI_CONFIG_FILE: join(folder, 'settings') },
    KUBE_CONFIG_PATH: join(folder, 'kubeconfig'),
  };
  return run(program, [`-chdir=${folder}`, ...words, '-no-color'], { env });
}

async function tofuOk(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await tofu(...words);
  assert.equal(code, 0, stdout + stderr);
  assert.doesNotMatch(stdout + stderr, /Warning/);
  return stdout;
}

const get = (...words: string[]) => node.kubectlOk(['get', ...words]);
const lock = 'lease/lock-tfstate-default-state';
const holder = () => get(lock, '-o', 'jsonpath={.spec.holderIdentity}');

test('a state is stored, and nobody else changes it meanwhile', async () => {
  await tofuOk('init');
  const applying = tofuOk('apply', '-auto-approve');
  const id = await eventually('the lock', async () => {
    const { code, stdout } = await node.kubectl(['get', lock, '-o', 'jsonpath={.spec.holderIdentity}']);
    return code === 0 && stdout;
  });
  const other = await tofu('apply', '-auto-approve');
  assert.equal(other.code, 1);
  assert.match(other.stderr, new RegExp(`already locked by another tofu client[\\s\\S]*ID: +${id}`));
  writeFileSync(join(folder, 'go'), '');
  assert.match(await applying, /1 added, 0 changed, 0 destroyed[\s\S]*said = "hello"/);
  assert.equal(await holder(), '');
  const stored = await get('secret/tfstate-default-state', '-o', 'jsonpath={.data.tfstate}');
  const state = JSON.parse(gunzipSync(Buffer.from(stored, 'base64')).toString());
  assert.equal(state.outputs.said.value, 'hello');
});

test('what is as it should be is planned as nothing, and what is not as a change', async () => {
  assert.match(await tofuOk('plan', '-detailed-exitcode'), /No changes/);
  const changed = await tofu('plan', '-detailed-exitcode', '-var', 'greeting=goodbye');
  assert.equal(changed.code, 2, changed.stderr);
  assert.match(await tofuOk('apply', '-auto-approve', '-var', 'greeting=goodbye'), /said = "goodbye"/);
});

test('workspaces have states of their own, and go with them', async () => {
  await tofuOk('workspace', 'new', 'other');
  assert.match(await tofuOk('workspace', 'list'), /default\n\* other/);
  await tofuOk('workspace', 'select', 'default');
  await tofuOk('workspace', 'delete', 'other');
  assert.equal(await get('secret', '-o', 'name'), 'secret/tfstate-default-state\n');
});

test('a lock that is left is taken away by its name alone', async () => {
  const patch = JSON.stringify({
    metadata: { annotations: { 'app.terraform.io/lock-info': '{"ID":"left"}' } },
    spec: { holderIdentity: 'left' },
  });
  await node.kubectlOk(['patch', lock, '--type=merge', '-p', patch]);
  assert.equal((await tofu('force-unlock', '-force', 'wrong')).code, 1);
  await tofuOk('force-unlock', '-force', 'left');
  assert.match(await tofuOk('destroy', '-auto-approve', '-var', 'greeting=goodbye'), /1 destroyed/);
  assert.equal(await holder(), '');
});
