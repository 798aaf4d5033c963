import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Clock } from '@wherry/clock';
import { isAppArmorOn } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { messageOf } from '../errors.ts';
import { limits } from '../limits.ts';
import { defaultProfile, defaultProfileName } from './default-profile.ts';

const usualFolder = '/sys/kernel/security/apparmor';

/** What profiles are looked at with. */
export interface AppArmorProfilesOptions {
  clock: Clock;
  logger: Logger;
  /** Where the kernel tells of AppArmor. Default: where it does, when AppArmor is on. */
  kernelFolder?: string;
}

/** The profiles that containers can have at the moment. */
export interface ProfilesAtHand {
  /** Names of all that the kernel has loaded; undefined where AppArmor is off. */
  loaded: ReadonlySet<string> | undefined;
  /** Why there is no default profile, while AppArmor is on. */
  defaultProblem?: string;
}

/** The AppArmor profiles of this machine, and the default one among them, which is loaded when it is missing. */
export class AppArmorProfiles {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #folder: string;
  readonly #isOn: boolean;
  #loading: Promise<string | undefined> | undefined;
  #problem: string | undefined;
  #isFresh = false;
  /** When loading failed last, so that not every container tries it anew. */
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor({ clock, logger, kernelFolder }: AppArmorProfilesOptions) {
    this.#clock = clock;
    this.#logger = logger;
    this.#folder = kernelFolder ?? usualFolder;
    this.#isOn = kernelFolder !== undefined || (isAppArmorOn() && existsSync(usualFolder));
  }

  /** What there is now. Never rejects. */
  async atHand(): Promise<ProfilesAtHand> {
    if (!this.#isOn) return { loaded: undefined };
    const before = await loadedProfiles(this.#folder);
    // What an earlier runtime has loaded may be another text; and somebody may have unloaded ours (aa-remove-unknown).
    if (this.#isFresh && before.has(defaultProfileName)) return { loaded: before };
    const defaultProblem = await this.#loaded();
    if (defaultProblem !== undefined) return { loaded: before, defaultProblem };
    return { loaded: new Set([...before, defaultProfileName]) };
  }

  /** Why the default profile could not be loaded, now or a moment ago. */
  #loaded(): Promise<string | undefined> {
    const failedMs = this.#clock.monotonicMs() - this.#failedAtMs;
    if (!this.#loading && failedMs < limits.profileRetryMs) return Promise.resolve(this.#problem);
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<string | undefined> {
    try {
      await parse(defaultProfile(profileFiles(), ownProfile()));
      this.#isFresh = true;
      this.#problem = undefined;
      this.#failedAtMs = Number.NEGATIVE_INFINITY;
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const problem = isMissing
        ? 'apparmor_parser is not in PATH (Debian: apt-get install apparmor)'
        : `apparmor_parser does not load it: ${messageOf(error)}`;
      if (problem !== this.#problem)
        this.#logger.warn('containers run without an AppArmor profile unless they name one', { problem });
      this.#problem = problem;
      this.#failedAtMs = this.#clock.monotonicMs();
    }
    return this.#problem;
  }
}

/** The name of a profile, of `NAME (MODE)`. */
const withoutMode = (label: string): string => label.replace(/ \([a-z]+\)$/, '');

/** Names of what is loaded. */
async function loadedProfiles(folder: string): Promise<Set<string>> {
  try {
    const lines = (await readFile(`${folder}/profiles`, 'utf8')).split('\n');
    return new Set(lines.map(withoutMode).filter((name) => name !== ''));
  } catch {
    return new Set();
  }
}

function profileFiles() {
  const has = (name: string) => existsSync(`/etc/apparmor.d/${name}`);
  return { hasAbi: has('abi/3.0'), hasTunables: has('tunables/global'), hasBase: has('abstractions/base') };
}

/** The profile of this process; what it starts has the same. */
function ownProfile(): string {
  try {
    const label = readFileSync('/proc/self/attr/current', 'utf8').trim();
    return withoutMode(label).replaceAll(/["\n]/g, '') || 'unconfined';
  } catch {
    return 'unconfined';
  }
}

/** Compiles a profile and puts it into the kernel, in the place of one of that name. */
function parse(text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const options = { timeout: limits.profileLoadMs, maxBuffer: limits.profileLoadOutputMax };
  const child = execFile('apparmor_parser', ['--replace', '--skip-cache'], options, (error, _out, stderr) => {
    if (!error) return resolve();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return reject(error);
    reject(new Error(stderr.trim().split('\n').at(-1) || error.message));
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(text);
  return promise;
}
