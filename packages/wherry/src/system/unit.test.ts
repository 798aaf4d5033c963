import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoted, unitFile } from './unit.ts';

test('a word of a command line reaches the program as it stands, whatever systemd reads into it', () => {
  assert.equal(quoted('/srv/a b'), '"/srv/a b"');
  assert.equal(quoted('100%$HOME'), '"100%%$$HOME"');
  assert.equal(quoted('a"b\\c'), '"a\\"b\\\\c"');
  assert.equal(quoted('a\nExecStartPre=/bin/x'), '"a\\x0aExecStartPre=/bin/x"');
  assert.equal(quoted('a\rb\tc\x7f\u0085'), '"a\\x0db\\x09c\\x7f\\xc2\\x85"');
});

test('a unit leaves containers alone when it ends', () => {
  const unit = unitFile({ words: ['/usr/bin/node', 'up'], description: 'wherry' });
  assert.match(unit, /^ExecStart="\/usr\/bin\/node" "up"$/m);
  assert.match(unit, /^KillMode=process$/m);
});

test('no path puts a line into a unit, nor takes one out of it', () => {
  const lines = (path: string) =>
    unitFile({ words: ['/usr/bin/node', 'up', path], description: `wherry (${path})` }).split(/[\n\r\0]/);
  const usual = lines('/srv');
  for (const path of [
    '/srv\nExecStartPre=/bin/x',
    '/srv\rUser=nobody',
    '/srv\0',
    '/srv\\',
    '/srv\x1b[2J',
    '%n',
  ])
    assert.equal(lines(path).length, usual.length, JSON.stringify(path));
  const bare = unitFile({ words: ['/bin/x'], description: 'ends in a joint\\' });
  assert.match(bare, /^Description=ends in a joint\?$/m);
  assert.match(
    unitFile({ words: ['/bin/x'], description: 'a\nUser=nobody %n' }),
    /^Description=a\?User=nobody %%n$/m,
  );
});
