import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { fromGoFlags } from './go-flags.ts';

const command = new Command('exec')
  .option('-i, --stdin')
  .option('-t, --tty')
  .option('-c, --container <name>')
  .option('--no-preserve')
  .option('--no-wait')
  .option('--tail <lines>');
const rollout = new Command('wherry').command('rollout');
const status = rollout
  .command('status')
  .option('-w, --watch', '', true)
  .option('--no-watch')
  .option('-n, --namespace <name>');
const globalFlags = new Command().option('-n, --namespace <name>').option('--insecure').options;
const read = (line: string) =>
  fromGoFlags({ words: line.split(' '), commands: [command, status], globalFlags }).join(' ');

test('flags are written as commander reads them', () => {
  const rows: [given: string, written: string][] = [
    ['rollout status web --watch=false -n=x', 'rollout status web --no-watch --namespace=x'],
    ['rollout status -w=false -w', 'rollout status --no-watch --watch'],
    ['exec p -it -- ls -it=x', 'exec p --stdin --tty -- ls -it=x'],
    ['exec -itc main p', 'exec --stdin --tty --container=main p'],
    ['exec -c=main -cmain p', 'exec --container=main --container=main p'],
    ['exec --stdin=true --tty=false -i=0 -t=T p', 'exec --stdin --tty p'],
    ['exec --no-preserve=true --no-preserve=false p', 'exec --no-preserve p'],
    ['exec --wait --wait=true --wait=false p', 'exec --no-wait p'],
    ['exec --tail -1 --tail=-2 p', 'exec --tail=-1 --tail=-2 p'],
    ['-n work --insecure exec p', 'exec -n work --insecure p'],
    ['exec p --unknown=1 -ix -', 'exec p --unknown=1 -ix -'],
    ['exec p -c', 'exec p --container'],
    ['other -it=x', 'other -it=x'],
    ['-n work other', '-n work other'],
    ['-n work rollout', 'rollout'],
    ['-n work rollout nope', 'rollout nope'],
    ['--version', '--version'],
  ];
  assert.deepEqual(
    rows.map(([given]) => [given, read(given)]),
    rows,
  );
});

test('a switch is true or false', () => {
  assert.throws(() => read('exec -it=maybe p'), /invalid argument "maybe" for "-t, --tty" flag/);
  assert.throws(() => read('exec --wait=maybe p'), /invalid argument "maybe" for "--wait" flag/);
});
