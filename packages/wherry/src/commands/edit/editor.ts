import { spawn } from 'node:child_process';
import { CommandError } from '../../errors.ts';
import { savedTerminal } from './saved-terminal.ts';

/** The words by which an editor is started, without the file. */
export interface Editor {
  words: readonly string[];
  /** The last word is a command line of a shell, and the file becomes a part of it. */
  isShellLine: boolean;
}

/** The editor that the environment names: a program, a program with words, or a line for the shell where it has quotes. */
export function editorOf(environment: Readonly<Record<string, string | undefined>>): Editor {
  const { KUBE_EDITOR, EDITOR, SHELL } = environment;
  const line = KUBE_EDITOR || EDITOR || 'vi';
  if (!/["'\\]/.test(line) || !line.includes(' ')) return { words: line.split(' '), isShellLine: false };
  return { words: [SHELL || '/bin/bash', '-c', line], isShellLine: true };
}

/**
 * Opens a file in the editor, which has the terminal and what its keys signal to itself, and resolves when it has ended. The
 * terminal is put back as it was. Throws `CommandError` for an editor that is not there, or that did not end with 0.
 */
export async function openIn(editor: Editor, path: string): Promise<void> {
  const [program = '', ...words] = editor.isShellLine
    ? [...editor.words.slice(0, -1), `${editor.words.at(-1)} ${shellWord(path)}`]
    : [...editor.words, path];
  const name = JSON.stringify(editor.words.join(' '));
  const terminal = savedTerminal();
  const failure = await run(program, words);
  terminal.restore();
  if (failure === undefined) return;
  const isAbsent = typeof failure === 'object' && failure.code === 'ENOENT';
  throw new CommandError(
    isAbsent ? `unable to launch the editor ${name}` : `there was a problem with the editor ${name}`,
  );
}

const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Signals of a terminal's keys, which the editor gets as well as this process. */
const ofKeys = ['SIGINT', 'SIGQUIT'] as const;
/** Those that somebody sends to this process alone. */
const sent = ['SIGTERM', 'SIGHUP'] as const;

/** Undefined when the program ended with 0. */
async function run(
  program: string,
  words: readonly string[],
): Promise<NodeJS.ErrnoException | 'failed' | undefined> {
  const child = spawn(program, words, { stdio: 'inherit' });
  const ignore = () => {};
  const handOn = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of ofKeys) process.on(signal, ignore);
  for (const signal of sent) process.on(signal, handOn);
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | 'failed' | undefined>();
  child.once('error', resolve);
  child.once('close', (code) => resolve(code === 0 ? undefined : 'failed'));
  return promise.finally(() => {
    for (const signal of ofKeys) process.off(signal, ignore);
    for (const signal of sent) process.off(signal, handOn);
  });
}
