import { existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { defaultDataDir } from '@wherry/node';
import { CommandError } from '../../errors.ts';
import { checkMachine } from '../../system/preflight.ts';
import { checkSystemd, systemctl, unitFolder } from '../../system/systemd.ts';
import { unitFile } from '../../system/unit.ts';

/** Options of `wherry service install`. */
export interface InstallOptions {
  /** Name of the unit, without `.service`. */
  unit: string;
  config?: string;
  dataDir?: string;
  /** Prints the unit file, and changes nothing. */
  print?: boolean;
  /** False: the service starts with the machine only. */
  start: boolean;
}

/** Makes a node a service of systemd: it starts with the machine, and now. May be repeated. */
export function installService({ unit, config, dataDir, print, start }: InstallOptions): void {
  const words = [
    ...ownCommand(),
    'up',
    '--keep-pods',
    ...flagOf('--config', config),
    ...flagOf('--data-dir', dataDir),
  ];
  const where = config ?? dataDir ?? defaultDataDir;
  const text = unitFile({ words, description: `wherry, a Kubernetes node (${where})` });
  if (print) {
    process.stdout.write(text);
    return;
  }
  checkSystemd();
  checkMachine();
  const path = unitPath(unit);
  writeFileSync(path, text, { mode: 0o644 });
  systemctl('daemon-reload');
  systemctl('enable', `${unit}.service`);
  console.error(`service ${unit} installed: ${path}`);
  if (!start) return;
  systemctl('restart', `${unit}.service`);
  console.error(`service ${unit} runs; "systemctl status ${unit}" and "journalctl -u ${unit}" tell of it`);
}

/** Options of `wherry service uninstall`. */
export interface UninstallOptions {
  unit: string;
}

/** Takes the service away; its containers run on until `wherry down`. One that is not there is fine. */
export function uninstallService({ unit }: UninstallOptions): void {
  checkSystemd();
  const path = unitPath(unit);
  if (!existsSync(path)) {
    console.error(`no service ${unit}: there is no ${path}`);
    return;
  }
  systemctl('disable', '--now', `${unit}.service`);
  rmSync(path);
  systemctl('daemon-reload');
  console.error(`service ${unit} removed; its pods run on until "wherry down"`);
}

const unitPath = (unit: string) => join(unitFolder, `${unit}.service`);

const flagOf = (name: string, path: string | undefined) => (path === undefined ? [] : [name, resolve(path)]);

/** How this command was started. Throws `CommandError` where that will not be there tomorrow. */
function ownCommand(): string[] {
  const script = realpathSync(process.argv[1] ?? '');
  if (script.split(sep).includes('_npx')) {
    throw new CommandError(
      `"${script}" lies in the cache of npx, which npm may empty; install wherry first: npm install --global wherry`,
    );
  }
  return [process.execPath, script];
}
