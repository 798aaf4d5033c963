import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { typedLine } from './typed-line.ts';

const { options } = new Command()
  .option('-f, --filename <file>')
  .option('-i, --stdin')
  .option('-t, --tty')
  .option('--no-wait')
  .option('-R, --recursive')
  .option('--dry-run [where]');

test('a line is taken apart as Go does: long and short flags, values beside and behind, and what stands behind dashes', () => {
  const line =
    '--filename=a=b create -Rf one -it --recursive=false --wait=false -f=two --filename three word --nope -- -f x'.split(
      ' ',
    );
  assert.deepEqual(typedLine(line, options), {
    words: ['create', 'word', '--nope', '-f', 'x'],
    flags: [
      { name: 'filename', value: 'a=b' },
      { name: 'recursive', value: 'true' },
      { name: 'filename', value: 'one' },
      { name: 'stdin', value: 'true' },
      { name: 'tty', value: 'true' },
      { name: 'recursive', value: 'false' },
      { name: 'wait', value: 'false' },
      { name: 'filename', value: 'two' },
      { name: 'filename', value: 'three' },
    ],
  });
});
