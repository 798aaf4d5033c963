import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { collectSwitches, parsePort } from '@wherry/node/roles';
import { commandGroups } from './command-groups.ts';
import { parseDuration } from './flags/duration.ts';
import { createProgram } from './program.ts';

const main = new URL('../main.ts', import.meta.url).pathname;

function wherry(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('who types nothing is told what there is, which is no mistake', () => {
  const { status, stdout, stderr } = wherry();
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^Usage: wherry /);
});

test('durations and ports are read as Go writes them, and refused when they are none', () => {
  assert.deepEqual(['0', '500ms', '1m', '1h2m3.5s'].map(parseDuration), [0, 500, 60_000, 3_723_500]);
  assert.throws(() => parseDuration('soon'), /expected a duration/);
  assert.deepEqual(['0', '65535'].map(parsePort), [0, 65_535]);
  assert.throws(() => parsePort('65536'), /from 0 to 65535/);
});

test('the switches of --runtime-config add up, and what is no switch is refused', () => {
  const first = collectSwitches('apps/v1,batch/v1=false');
  assert.deepEqual(collectSwitches('api/all=1', first), {
    'apps/v1': true,
    'batch/v1': false,
    'api/all': true,
  });
  assert.throws(() => collectSwitches('apps/v1=maybe'), /"apps\/v1=maybe" is no NAME=true/);
});

test('the help of a command has its own flags first, those of the connection behind them', () => {
  const { program } = createProgram();
  for (const [name, own] of [
    ['apply', '--filename'],
    ['logs', '--follow'],
    ['sessions', '--ended'],
  ] as const) {
    const help = program.commands.find((command) => command.name() === name)?.helpInformation() ?? '';
    const places = ['\nOptions:\n', own, '--help', '\nWhich cluster, and as whom:\n', '--kubeconfig'];
    const found = places.map((words) => help.indexOf(words));
    assert.ok(!found.includes(-1), help);
    assert.deepEqual(
      found,
      found.toSorted((one, other) => one - other),
      name,
    );
  }
});

test('a line that names a command makes its group alone, and each command is in the group that makes it', () => {
  // They know all others.
  const ofAll = ['__complete', 'completion', 'plugin'];
  const all = createProgram().program.commands.map((command) => command.name());
  const named = commandGroups.flatMap(({ names }) => names);
  assert.deepEqual(all.filter((name) => !ofAll.includes(name)).sort(), named.toSorted());
  for (const { names } of commandGroups.filter((group) => group.names.length > 0))
    for (const name of names)
      assert.deepEqual(
        createProgram(name).program.commands.map((command) => command.name()),
        names,
      );
  assert.equal(createProgram('bogus').program.commands.length, all.length);
});

test('a wrong flag or command ends with 1 and says so', () => {
  for (const words of [['up', '--bogus'], ['bogus'], ['up', '--api-port', 'x']]) {
    const { status, stderr } = wherry(...words);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /^error: /);
  }
});

test("a flag of upstream's kubelet that is not taken is refused by name, with what is so instead", () => {
  const { status, stderr } = wherry('kubelet', '--maximum-dead-containers', '20');
  assert.equal(status, 1);
  assert.match(stderr, /^error: --maximum-dead-containers is not taken: .*evictionHard/);
});

test('a bad node name is refused before anything is begun', () => {
  const { status, stderr } = wherry('up', '--name', 'Bad_Name');
  assert.equal(status, 1);
  assert.match(stderr, /^error: .*'Bad_Name' is invalid\. a node name has lower-case letters/);
  assert.doesNotMatch(stderr, /bringing up/);
});

test('a CRI socket that nobody listens at is named', () => {
  const { status, stderr } = wherry('cri', 'ps', '-r', '/nonexistent/cri.sock');
  assert.equal(status, 1);
  assert.equal(stderr, 'error: no CRI server answers at "/nonexistent/cri.sock"\n');
});

test('-o takes JSON and YAML where something is listed, and refuses other forms by name', () => {
  const [json, older] = [wherry('doctor', '-o', 'json'), wherry('doctor', '--json')];
  assert.ok(Array.isArray(JSON.parse(json.stdout).checks));
  assert.deepEqual(JSON.parse(older.stdout), JSON.parse(json.stdout));
  assert.match(wherry('doctor', '-o', 'yaml').stdout, /^checks:\n/);
  const { status, stderr } = wherry('doctor', '-o', 'xml');
  assert.equal(status, 1);
  assert.match(stderr, /'xml' is invalid\. Allowed choices are json, yaml/);
});

test('exec without -- is refused in the words of kubectl', () => {
  const { status, stderr } = wherry('exec', 'pod', 'ls');
  assert.equal(status, 1);
  assert.match(
    stderr,
    /exec \[POD\] \[COMMAND\] is not supported anymore\. Use exec \[POD\] -- \[COMMAND\] instead/,
  );
});

test('status of a folder without a node says how to get one', () => {
  const { status, stderr } = wherry('status', '--data-dir', '/nonexistent/wherry');
  assert.equal(status, 1);
  assert.match(stderr, /error: no node in \/nonexistent\/wherry; "wherry up" starts one/);
});
