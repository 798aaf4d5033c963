import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Ended, inProcess } from '../in-process.ts';

/** What a word for the folder is in lines, in the list of files and in what is compared. */
const here = 'HERE';

/** Two folders of the same kubeconfigs: the same lines are typed at the real kubectl and at wherry, each in front of its own. */
export class KubeconfigsBesideKubectl {
  readonly #folder = mkdtempSync(join(tmpdir(), 'wherry-config-'));
  /** `$KUBECONFIG`. */
  paths = `${here}/config`;

  /** The folder of wherry's. */
  get ours(): string {
    return join(this.#folder, 'ours');
  }

  get #theirs(): string {
    return join(this.#folder, 'real');
  }

  /** Leaves these files and no others. */
  fill(files: Readonly<Record<string, string>>): void {
    for (const folder of [this.ours, this.#theirs]) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(folder, name), text, { mode: 0o600 });
    }
  }

  /** Fails where they say something else, end otherwise or leave other files. */
  async typeLine(line: string): Promise<void> {
    const theirs = comparable(this.#runKubectl(line), this.#theirs);
    assert.deepEqual(comparable(await this.run(line), this.ours), theirs, line);
    assert.deepEqual(contentsOf(this.ours), contentsOf(this.#theirs), line);
  }

  /** Runs `wherry config LINE` alone. */
  async run(line: string): Promise<Ended> {
    const { KUBECONFIG, HOME } = process.env;
    process.env['KUBECONFIG'] = this.#in(this.ours, this.paths);
    process.env['HOME'] = this.ours;
    try {
      return await inProcess(['config', ...this.#in(this.ours, line).split(' ')]);
    } finally {
      Object.assign(process.env, { KUBECONFIG: KUBECONFIG ?? '', HOME });
    }
  }

  #runKubectl(line: string): Ended {
    const { PATH } = process.env;
    const env = { PATH, HOME: this.#theirs, KUBECONFIG: this.#in(this.#theirs, this.paths) };
    const words = ['config', ...this.#in(this.#theirs, line).split(' ')];
    const { status, stdout, stderr } = spawnSync('kubectl', words, { env, encoding: 'utf8' });
    return { code: status ?? -1, stdout, stderr };
  }

  #in(folder: string, text: string): string {
    return text.replaceAll(here, folder);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Without what is padded at the end of lines, and what kubectl before 1.34 tells of preferences that are not there. */
function comparable({ code, stdout, stderr }: Ended, folder: string): Ended {
  const plain = (text: string) =>
    text
      .replaceAll(folder, here)
      .replace(/^preferences: \{\}\n|^ +"preferences": \{\},\n/m, '')
      .replaceAll('kubectl', 'wherry')
      .replaceAll(/ +$/gm, '')
      .trimEnd();
  return { code, stdout: plain(stdout), stderr: plain(stderr) };
}

/** What files hold, and who may read them. The order in lists says nothing. */
function contentsOf(folder: string): object {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return files
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => {
      const path = join(folder, name);
      return {
        name,
        mode: statSync(path).mode & 0o777,
        holds: meaningOf(readFileSync(path, 'utf8').replaceAll(folder, here)),
      };
    });
}

function meaningOf(text: string): unknown {
  const content: unknown = parse(text, { version: '1.1' });
  if (typeof content !== 'object' || content === null) return text;
  return Object.fromEntries(
    Object.entries(content)
      .filter(([name, value]) => name !== 'preferences' || Object.keys(value ?? {}).length > 0)
      .map(([name, value]) => [name, Array.isArray(value) ? inOrder(value) : value]),
  );
}

const inOrder = (entries: { name: string }[]) =>
  entries.length === 0 ? null : entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
