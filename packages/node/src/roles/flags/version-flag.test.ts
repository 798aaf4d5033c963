import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetesVersion } from '@wherry/kubeapi';
import { kubeletVersion } from '@wherry/kubelet';
import { Command, type CommanderError } from 'commander';
import { addRoleCommands } from '../commands/role-commands.ts';

const wrong = () => assert.fail('it has begun');
const runners = {
  ...{ apiserver: wrong, controllers: wrong, scheduler: wrong, network: wrong },
  ...{ kubelet: wrong, runtime: wrong, monitor: wrong },
};

test('parts in the places of upstream’s programs tell the version that they speak, whatever flags they miss', () => {
  for (const role of ['apiserver', 'controllers', 'scheduler', 'kubelet']) {
    let said = '';
    const program = new Command();
    addRoleCommands(program, runners);
    const command = program.commands.find((each) => each.name() === role)!;
    command.exitOverride().configureOutput({
      writeOut: (text) => {
        said += text;
      },
    });
    assert.throws(
      () => command.parse(['--version', '-v=4'], { from: 'user' }),
      ({ exitCode }: CommanderError) => exitCode === 0,
      role,
    );
    assert.equal(said, 'Kubernetes v1.36.2\n', role);
  }
  assert.deepEqual([kubernetesVersion, kubeletVersion], ['v1.36.2', 'v1.36.2']);
});
