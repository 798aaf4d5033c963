import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { journalMs, journalsMax } from '../../limits.ts';
import { answerError } from '../answers.ts';
import { Journal } from './journal.ts';
import { readJournalQuery } from './journal-query.ts';

const read = (search: string) => readJournalQuery(new URLSearchParams(search));

describe('a query of a node’s logs', () => {
  it('is read as upstream reads it', () => {
    assert.equal(read(''), undefined);
    assert.deepEqual(read('query=kubelet&query=containerd&tailLines=5&boot=-1&pattern=a.b'), {
      services: ['kubelet', 'containerd'],
      file: undefined,
      selection: ['--pager-end', '--lines=5', '--grep=a.b', '--boot=-1'],
    });
    assert.deepEqual(
      read('query=x&sinceTime=2026-01-02T03:04:05%2B01:00&untilTime=2026-01-03T00:00:00Z')?.selection,
      ['--since=2026-01-02 02:04:05.000 UTC', '--until=2026-01-03 00:00:00.000 UTC'],
    );
    assert.equal(read('query=/foo/bar.log')?.file, '/foo/bar.log');
    assert.equal(read('query=foo\\bar.log')?.file, 'foo/bar.log');
  });

  it('that makes no sense is refused with upstream’s code', () => {
    const refused: [search: string, statusCode: number, message: RegExp][] = [
      ['query=%20', 400, /may not be empty/],
      ['query=x&sinceTime=yesterday', 400, /sinceTime: .*invalid time format/],
      ['query=x&tailLines=many', 400, /tailLines: /],
      ['tailLines=5', 406, /cannot be empty with options/],
      ['query=x&query=/y', 406, /a file and service/],
      ['query=/x&query=/y', 406, /more than one file/],
      ['query=/x&boot=0', 406, /file with options/],
      ['query=a&query=b&query=c&query=d&query=e', 406, /Too many: 5/],
      ['query=a;reboot', 406, /unsupported characters/],
      ['query=--file=x', 406, /unsupported characters/],
      [`query=${'a'.repeat(257)}`, 406, /more than 256/],
      ['query=x&sinceTime=2026-01-02T00:00:00Z&untilTime=2026-01-01T00:00:00Z', 406, /must be after/],
      ['query=x&boot=1', 406, /less than 1/],
      ['query=x&tailLines=100001', 406, /between 0 and 100000/],
      ['query=x&tailLines=-1', 406, /between 0/],
    ];
    for (const [search, statusCode, message] of refused)
      assert.throws(
        () => read(search),
        (error: Error & { statusCode: number }) =>
          error.statusCode === statusCode && message.test(error.message),
        search,
      );
  });
});

describe('logs of services', () => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  const root = join(folder, 'logs');
  const program = join(folder, 'journalctl');
  const clock = new FakeClock();
  let server: Server;
  let url = '';
  before(async () => {
    mkdirSync(join(root, 'deep'), { recursive: true });
    writeFileSync(join(root, 'plain'), 'of plain\n');
    writeFileSync(join(root, 'named.log'), 'of named\n');
    writeFileSync(join(root, 'deep/deep.log'), 'of deep\n');
    symlinkSync('/etc/hostname', join(root, 'away.log'));
    const script = `#!/bin/sh
printf '%s|' "$@" >> '${folder}/calls'; echo >> '${folder}/calls'
case "$*" in
  *_SYSTEMD_UNIT*) echo kubelet.service; echo hung.service ;;
  *hung*) echo begun; sleep 1000 ;;
  *) echo "Jan 01 a line" ;;
esac
`;
    writeFileSync(program, script);
    chmodSync(program, 0o755);
    const journal = new Journal({ clock, root, program });
    server = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      Promise.resolve()
        .then(() => journal.serve(readJournalQuery(searchParams)!, request, response))
        .catch((error) => answerError(response, error));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const ask = async (search: string) => (await fetch(`${url}/?${search}`)).text();

  it('come from the journal where that knows them', async () => {
    assert.equal(await ask('query=kubelet&tailLines=2'), 'Jan 01 a line\n');
    const [, call] = readFileSync(join(folder, 'calls'), 'utf8').split('\n');
    assert.equal(call, '--utc|--no-pager|--output=short-precise|--pager-end|--lines=2|--unit=kubelet|');
  });

  it('come from a file of their name otherwise, and never from outside', async () => {
    assert.equal(await ask('query=plain&query=named&query=deep'), 'of plain\nof named\nof deep\n');
    assert.equal(await ask('query=none'), '\nlog not found for none\n');
    assert.match(await ask('query=away'), /^\nerror: .*leads out of /);
    assert.match(
      await ask('query=plain&tailLines=1'),
      /options present and query resolved to log files for \[plain\]/,
    );
  });

  it('are packed for who asks for that', async () => {
    const answer = await fetch(`${url}/?query=kubelet`, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(answer.headers.get('content-encoding'), 'gzip');
    assert.equal(await answer.text(), 'Jan 01 a line\n');
  });

  it('are given up after their time, and few are read at once', async () => {
    const hung = Array.from({ length: journalsMax }, () => fetch(`${url}/?query=hung`));
    const answers = await Promise.all(hung);
    const refused = await fetch(`${url}/?query=kubelet`);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
    clock.advance(journalMs);
    for (const answer of answers) assert.match(await answer.text(), /^begun\n\nerror: /);
    assert.equal(await ask('query=kubelet'), 'Jan 01 a line\n');
  });

  it('without a journal on the machine are the files alone', async () => {
    const without = new Journal({ clock, root, program: join(folder, 'none') });
    const own = createServer((request, response) => {
      void without.serve({ services: ['plain'], file: undefined, selection: [] }, request, response);
    });
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
    const { port } = own.address() as AddressInfo;
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'of plain\n');
    own.closeAllConnections();
    own.close();
  });
});
