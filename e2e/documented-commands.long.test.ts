/** Documents that show commands, run command by command as they stand. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAsShown, shownCommands } from './console.ts';
import { readDocument } from './documented-tests.ts';
import { eventually, wherry, wherryEntry } from './node.ts';

/** Document → where its node is, from the folder that it begins in. */
const documents = { 'docs/tutorial.md': 'tutorial/node', 'docs/connections.md': 'node' };

for (const [document, dataDir] of Object.entries(documents)) {
  test(`each command of ${document} prints what the document says`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wherry-shown-'));
    const shell = shellIn(folder);
    try {
      await runAll(document, shell);
    } finally {
      killAll(shell);
      const left = join(folder, dataDir);
      if (existsSync(left)) await wherry(['down', '--data-dir', left, '--purge']);
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** A shell in which `wherry` and `node` are those of the test. It leads a process group of its own. */
function shellIn(folder: string): ChildProcessWithoutNullStreams {
  const programs = mkdtempSync(join(folder, 'bin-'));
  symlinkSync(wherryEntry, join(programs, 'wherry'));
  symlinkSync(process.execPath, join(programs, 'node'));
  const path = `${programs}:${process.env['PATH']}`;
  const env = { ...process.env, PATH: path, HOME: folder, NO_COLOR: '1' };
  return spawn('bash', ['--norc', '--noprofile'], { cwd: folder, env, detached: true });
}

/** Also what a document started in the background and a command that failed left there: it would hold the shell's output open. */
function killAll(shell: ChildProcessWithoutNullStreams): void {
  if (shell.pid) process.kill(-shell.pid, 'SIGKILL');
}

async function runAll(document: string, shell: ChildProcessWithoutNullStreams): Promise<void> {
  // A shell that ends says so by what it does not print.
  shell.stdin.on('error', () => {});
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const commands = shownCommands(readDocument(document));
  assert.ok(commands.length > 20);
  for (const [index, { command, prints }] of commands.entries()) {
    output = '';
    const mark = `end of command ${index}`;
    shell.stdin.write(`${command}\necho '${mark}' >&2; echo '${mark}'\n`);
    await eventually(command, () => output.split(mark).length === 3, 120_000);
    const printed = output.replaceAll(`${mark}\n`, '');
    const shown = `$ ${command}\n${printed}\nbut ${document} says:\n${prints.join('\n')}`;
    assert.ok(isAsShown(printed, prints), shown);
  }
}
