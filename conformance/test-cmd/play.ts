import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { TestAuthority } from '../../packages/apiserver/test/pki.ts';
import { buildKubectl } from '../e2e/build.ts';
import { buildConvert, copyTree } from './build.ts';
import { functionNames } from './functions.ts';
import { type GitHub, githubHost, startGitHub } from './github.ts';
import { type Outcome, readOutcomes } from './outcome.ts';
import { placePrograms } from './stand-ins.ts';

/** Seconds that one function may take: it makes some hundred calls, and some wait. */
const functionSeconds = 600;

/** Who types the lines of the scripts, and where the servers are. */
export interface Turn {
  client: 'kubectl' | 'wherry';
  port: number;
  controllersPort: number;
}

/** A copy of what upstream runs, and what each of its functions came to. */
export class TestCommands {
  readonly #turn: Turn;
  readonly #folder: string;
  #turns = 0;

  private constructor(turn: Turn, folder: string) {
    this.#turn = turn;
    this.#folder = folder;
  }

  get #root(): string {
    return join(this.#folder, 'kubernetes');
  }

  /** Copies the scripts and builds what they run. Ended by {@link close}. */
  static async prepare(turn: Turn): Promise<TestCommands> {
    const commands = new TestCommands(turn, await mkdtemp(join(tmpdir(), 'wherry-test-cmd-')));
    await copyTree(commands.#root);
    const kubectl = turn.client === 'kubectl' ? await buildKubectl() : undefined;
    await placePrograms(commands.#root, { kubectl, convert: await buildConvert() });
    return commands;
  }

  names(): Promise<string[]> {
    return functionNames(this.#root);
  }

  /** Runs the named functions one after the other, beside servers of their own. */
  async run(names: readonly string[]): Promise<Map<string, Outcome>> {
    const { folder, github } = await this.#makeTurnFolder();
    const driver = join(import.meta.dirname, 'driver.sh');
    const { port, controllersPort } = this.#turn;
    const child = spawn('bash', [driver, folder, `${functionSeconds}`, ...names], {
      ...{ cwd: this.#root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
      env: {
        ...process.env,
        PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
        // The scripts colour what they say, and leave caches in the home folder.
        ...{ TERM: 'xterm', HOME: folder, TMPDIR: join(folder, 'tmp') },
        ...{ SECURE_API_PORT: `${port}`, SECURE_CTLRMGR_PORT: `${controllersPort}` },
        ...{ SERVICE_ACCOUNT_KEY: join(folder, 'service-account.key'), STORE_FOLDER: join(folder, 'store') },
        KUBE_JUNIT_REPORT_DIR: join(folder, 'junit'),
        // Go's programs take the one, Node's the other.
        ...{
          SSL_CERT_FILE: join(folder, 'authority.crt'),
          NODE_EXTRA_CA_CERTS: join(folder, 'authority.crt'),
        },
        ...{ HTTPS_PROXY: github.proxyUrl, NO_PROXY: '127.0.0.1,localhost' },
        // What wherry applies at the server unless told otherwise, kubectl applies itself.
        ...(this.#turn.client === 'wherry' ? { KUBERC: join(import.meta.dirname, 'kuberc.yaml') } : {}),
        // Client and server are not built from one commit, which --match-server-version would want.
        ALLOW_SKEW: '1',
      },
    });
    const log = createWriteStream(join(folder, 'driver.log'));
    for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
    try {
      await once(child, 'close');
    } finally {
      // All that it started stands in its session.
      spawnSync('pkill', ['-KILL', '-s', `${child.pid}`]);
      github.close();
      log.end();
    }
    const ended = await textOf(join(folder, 'ended'));
    if (ended === '')
      throw new Error(`nothing has run:\n${(await textOf(join(folder, 'driver.log'))).slice(-4_000)}`);
    return readOutcomes(ended, await textOf(join(folder, 'unmet')));
  }

  /** What a function said the last time, without its colours. */
  async said(name: string): Promise<string> {
    const text = await textOf(join(this.#folder, `turn-${this.#turns}`, `${name}.log`));
    return stripVTControlCharacters(text);
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #makeTurnFolder(): Promise<{ folder: string; github: GitHub }> {
    const folder = join(this.#folder, `turn-${++this.#turns}`);
    await mkdir(join(folder, 'tmp'), { recursive: true });
    const authority = await TestAuthority.create('test-cmd');
    const { cert, key } = await authority.issue({
      name: 'kube-apiserver',
      hosts: ['127.0.0.1', 'localhost'],
    });
    await writeFile(join(folder, 'authority.crt'), authority.cert);
    await writeFile(join(folder, 'tmp/apiserver.crt'), `${cert}\n${authority.cert}`);
    await writeFile(join(folder, 'tmp/apiserver.key'), key);
    const identity = await authority.issue({ name: githubHost, hosts: [githubHost] });
    return { folder, github: await startGitHub(this.#root, identity) };
  }
}

const textOf = (file: string) => readFile(file, 'utf8').catch(() => '');
