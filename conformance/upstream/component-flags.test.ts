/** Every flag of upstream's programs is taken by ours, or refused with what is so instead. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { Command, CommanderError } from 'commander';
import { addRoleCommands } from '../../packages/node/src/roles/commands/role-commands.ts';
import { buildUpstream, type UpstreamProgram } from './build.ts';

const run = promisify(execFile);

/** The commands that stand in their place. */
const roles: Partial<Record<UpstreamProgram, string>> = {
  'kube-apiserver': 'apiserver',
  'kube-controller-manager': 'controllers',
  'kube-scheduler': 'scheduler',
  'kube-proxy': 'network',
  kubelet: 'kubelet',
};

/** What the command says of one argument beside those that it can not do without; '' where it takes it. */
function saidOf(role: string, argument: string): string {
  const program = new Command();
  const ignore = async () => {};
  addRoleCommands(program, {
    ...{ apiserver: ignore, controllers: ignore, scheduler: ignore, network: ignore },
    ...{ kubelet: ignore, runtime: ignore, monitor: ignore },
  });
  const command = program.commands.find((each) => each.name() === role)!;
  const needed = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => `${long}=1`);
  let said = '';
  const settings = command.exitOverride().configureOutput();
  command.configureOutput({ ...settings, writeErr: (text: string) => (said += text), writeOut: () => {} });
  try {
    command.parse([...needed, argument], { from: 'user' });
    return '';
  } catch (error) {
    if (error instanceof CommanderError) return said || error.message;
    throw error;
  }
}

for (const [program, role] of Object.entries(roles))
  it(`each flag of ${program} is taken, or refused with a reason`, async () => {
    const { stdout } = await run(await buildUpstream(program as UpstreamProgram), ['--help']);
    const flags = [...stdout.matchAll(/^ +(?:-\w, )?--([a-z0-9-]+)/gm)].map(([, name = '']) => name);
    assert.ok(flags.length > 50, `${flags.length} flags`);
    assert.match(saidOf(role, '--no-such-flag=1'), /unknown option/);
    const unknown = flags
      .filter((name) => name !== 'help' && name !== 'version')
      .filter((name) => /unknown option/.test(saidOf(role, `--${name}=1`)));
    assert.deepEqual(unknown, []);
  });
