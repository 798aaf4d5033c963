/** A wire between machines of a test, and what can go wrong on it. */
import { run } from '../command.ts';

/** Which way packets go, as the machine at the end of a wire sees it. */
export type Direction = 'in' | 'out';

/** The bridge that all machines of a test are plugged into, and the address that the test itself has there. */
export class Wire {
  readonly bridge = `wm${process.pid}`;
  readonly network = `10.97.${process.pid % 256}`;
  readonly address = `${this.network}.254`;
  readonly #table = `bridge ${this.bridge}`;

  async lay(): Promise<void> {
    await succeed(['ip', 'link', 'add', this.bridge, 'type', 'bridge']);
    await succeed(['ip', 'address', 'add', `${this.address}/24`, 'dev', this.bridge]);
    await succeed(['ip', 'link', 'set', this.bridge, 'up']);
    await this.#rules(`add table ${this.#table}`);
    for (const hook of ['input', 'forward', 'output'])
      await this.#rules(`add chain ${this.#table} ${hook} { type filter hook ${hook} priority 0; }`);
  }

  /** Name of the end that a machine's wire has here. */
  endOf(number: number): string {
    return `${this.bridge}-${number}`;
  }

  /** Plugs the interface eth0 of a network namespace in, which is that of a process. */
  async plug(number: number, pid: number): Promise<void> {
    const end = this.endOf(number);
    await succeed(['ip', 'link', 'add', end, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid)]);
    await succeed(['ip', 'link', 'set', end, 'master', this.bridge, 'up']);
  }

  /** Loses a share of the packets from and to a machine, 100 for all, until {@link mend}. Nobody is told. */
  async lose(
    number: number,
    percent: number,
    directions: readonly Direction[] = ['in', 'out'],
  ): Promise<void> {
    const end = this.endOf(number);
    const matches = directions.flatMap((direction) =>
      direction === 'out'
        ? [`input iifname ${end}`, `forward iifname ${end}`]
        : [`output oifname ${end}`, `forward oifname ${end}`],
    );
    const chance = percent >= 100 ? '' : `numgen random mod 100 < ${percent} `;
    for (const match of matches) await this.#rules(`add rule ${this.#table} ${match} ${chance}drop`);
  }

  /** All packets come through again. */
  mend(): Promise<void> {
    return this.#rules(`flush table ${this.#table}`);
  }

  async remove(): Promise<void> {
    await run('nft', ['delete', 'table', ...this.#table.split(' ')]);
    await run('ip', ['link', 'delete', this.bridge]);
  }

  async #rules(line: string): Promise<void> {
    await succeed(['nft', line]);
  }
}

async function succeed([program = '', ...words]: readonly string[]): Promise<void> {
  const { code, stderr } = await run(program, words);
  if (code !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`);
}
