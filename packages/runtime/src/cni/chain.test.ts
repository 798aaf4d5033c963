import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addCalls,
  checkCalls,
  delCalls,
  gcCalls,
  type PluginCalls,
  statusCalls,
  versionCalls,
} from './chain.ts';
import { listFromText } from './network-list.ts';
import type { PluginCall } from './plugin-call.ts';
import { PluginError, pluginError } from './plugin-error.ts';

const list = (change: object = {}) =>
  listFromText(
    JSON.stringify({
      cniVersion: '1.0.0',
      name: 'net',
      plugins: [{ type: 'one', capabilities: { ips: true, mac: false } }, { type: 'two' }],
      ...change,
    }),
  );
const attachment = {
  containerId: 'c1',
  namespacePath: '/run/ns',
  interfaceName: 'eth0',
  args: [['IgnoreUnknown', '1']],
  capabilityArgs: { ips: ['10.0.0.9'], mac: '0a:00:00:00:00:01' },
} as const;
const result = { cniVersion: '1.0.0', ips: [{ address: '10.0.0.9/24' }] } as const;

/** Makes the calls with these answers; an error is thrown. Gives back what was called and what came out. */
function make<Result>(calls: PluginCalls<Result>, answers: readonly unknown[] = []) {
  const made: (PluginCall & { config: Record<string, unknown> })[] = [];
  let step = calls.next();
  while (!step.done) {
    made.push({ ...step.value, config: JSON.parse(step.value.stdin) });
    const answer = answers[made.length - 1];
    step = answer instanceof Error ? calls.throw(answer) : calls.next(answer);
  }
  return { made, types: made.map(({ type }) => type), result: step.value };
}

test('ADD gives each plug-in what the one before it gave, and only the arguments that it can take', () => {
  const kept: unknown[] = [];
  const second = { ips: [], dns: { domain: 'x' } };
  const { made, result: last } = make(
    addCalls(list(), attachment, (each) => kept.push(each)),
    [result, second],
  );
  assert.deepEqual(made[0]?.config['runtimeConfig'], { ips: ['10.0.0.9'] });
  assert.equal(made[0]?.config['prevResult'], undefined);
  assert.deepEqual(made[1]?.config, { type: 'two', name: 'net', cniVersion: '1.0.0', prevResult: result });
  assert.deepEqual(last, { ...second, cniVersion: '1.0.0' }, 'no version means that of the configuration');
  assert.deepEqual(kept, [result, last]);
});

test('DEL goes backward, with the final result from 0.4.0 on, and passes over what is gone already', () => {
  const gone = new PluginError('interface eth0 not found');
  const { made, types } = make(delCalls(list(), attachment, result), [gone]);
  assert.deepEqual(types, ['two', 'one']);
  for (const { config } of made) assert.deepEqual(config['prevResult'], result);
  const old = make(delCalls(list({ cniVersion: '0.3.1' }), attachment, result));
  assert.deepEqual(
    old.made.map(({ config }) => config['prevResult']),
    [undefined, undefined],
  );
  const [call] = make(delCalls(list({ cniVersion: '0.4.0' }), attachment, result)).made;
  assert.deepEqual(call?.config['prevResult'], {
    cniVersion: '0.4.0',
    ips: [{ version: '4', address: '10.0.0.9/24' }],
  });
  const refused = pluginError('{"code":11,"msg":"later"}', '', 1);
  assert.throws(() => make(delCalls(list(), attachment, result), [refused]), {
    message: 'plugin type="two" failed (delete): later',
  });
  const noFile = new PluginError('open: no such file or directory');
  assert.throws(() => make(delCalls(list(), attachment, result), [noFile]));
  make(delCalls(list(), { ...attachment, namespacePath: '' }, result), [noFile]);
});

test('CHECK, STATUS and GC are asked of networks whose version has them, unless they say not to', () => {
  const valid = [{ containerID: 'c1', ifname: 'eth0' }];
  const newest = { cniVersion: '1.1.0' };
  assert.deepEqual(make(checkCalls(list(), attachment, result)).types, ['one', 'two']);
  assert.deepEqual(make(checkCalls(list({ cniVersion: '0.3.1' }), attachment, result)).types, []);
  assert.deepEqual(make(checkCalls(list({ disableCheck: true }), attachment, result)).types, []);
  assert.deepEqual(make(statusCalls(list())).types, []);
  assert.deepEqual(make(statusCalls(list(newest))).types, ['one', 'two']);
  assert.deepEqual(make(gcCalls(list(), valid)).types, []);
  assert.deepEqual(make(gcCalls(list({ ...newest, disableGC: 'true' }), valid)).types, []);
  const [call] = make(gcCalls(list(newest), valid)).made;
  assert.deepEqual(
    [call?.config['cni.dev/valid-attachments'], call?.config['cni.dev/attachments']],
    [valid, valid],
  );
  assert.throws(
    () => make(gcCalls(list(newest), valid), [new PluginError('a'), new PluginError('b')]),
    /a.*b/,
  );
});

test('of the versions that a network offers the newest that all its plug-ins know is spoken', () => {
  const offers = list({ cniVersion: '0.4.0', cniVersions: ['0.4.0', '1.0.0', '1.1.0', '9.9.9'] });
  const knows = (...supportedVersions: string[]) => ({ supportedVersions });
  const newest = knows('0.3.1', '0.4.0', '1.0.0', '1.1.0');
  assert.equal(make(versionCalls(offers), [newest, newest]).result, '1.1.0');
  assert.equal(make(versionCalls(offers), [newest, knows('0.4.0', '1.0.0')]).result, '1.0.0');
  const words = /plugin two does not support config version .*; it knows 0\.2\.0/;
  assert.throws(() => make(versionCalls(offers), [newest, knows('0.2.0')]), words);
  assert.throws(() => make(versionCalls(offers), [newest, undefined]), /it knows none/);
});

test('a plug-in that fails without a word, or without sense, is quoted', () => {
  assert.equal(pluginError('', '', 2).message, 'netplugin failed with no error message: exit status 2');
  assert.equal(pluginError(' ', 'panic: x\n', 2).message, 'netplugin failed: "panic: x\\n"');
  assert.match(pluginError('<html>', '', 1).message, /error parsing its diagnostic message "<html>"/);
});
