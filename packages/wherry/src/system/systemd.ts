import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { CommandError } from '../errors.ts';

/** Where an administrator's units are. */
export const unitFolder = '/etc/systemd/system';

/** Refuses a machine that systemd did not start, and whoever may not change its services. */
export function checkSystemd(): void {
  if (!existsSync('/run/systemd/system')) {
    throw new CommandError(
      'systemd does not run this machine; start "wherry up --keep-pods" from what does, or use "wherry up --detach"',
    );
  }
  if (process.geteuid?.() !== 0) throw new CommandError('services belong to root; run it with sudo');
}

/** Runs systemctl. Throws `CommandError` with what it said. */
export function systemctl(...words: string[]): void {
  const { status, error, stderr } = spawnSync('systemctl', words, { encoding: 'utf8' });
  if (error) throw new CommandError(`systemctl could not be run: ${error.message}`);
  if (status !== 0) throw new CommandError(`systemctl ${words.join(' ')}: ${stderr.trim()}`);
}

/** Tells systemd that the service is up, where this process is one. */
export function tellReady(): void {
  if (process.env['NOTIFY_SOCKET'] === undefined) return;
  const { error } = spawnSync('systemd-notify', ['--ready'], { stdio: 'inherit' });
  if (error) console.error(`systemd-notify could not be run: ${error.message}`);
}
