import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { KubeletProcess } from '../../e2e/nodes/node-of-parts.ts';

/** What the suite finds its kubelet by: `kubelet-` and a word. */
const unit = 'kubelet-suite.service';

/** What came of a line of systemctl(1). */
interface Answer {
  code: number;
  text: string;
}

/**
 * What specs ask of systemd, about the kubelet alone. Its unit counts as running also after a kubelet that ended by itself:
 * one that refuses the configuration of a spec gets another one from the next.
 */
async function answer(kubelet: KubeletProcess, words: readonly string[]): Promise<Answer> {
  const [verb, ...more] = words;
  if (verb === 'list-units') return { code: 0, text: `${unit} loaded active running\n` };
  const [name] = more;
  if (name !== 'kubelet-suite' && name !== unit)
    return { code: 5, text: `Unit ${name} is not known here: ${unit} alone is\n` };
  switch (verb) {
    case 'reset-failed':
      break;
    case 'kill':
    case 'stop':
      await kubelet.stop();
      break;
    case 'restart':
      await kubelet.stop();
      kubelet.start();
      break;
    case 'start':
      kubelet.start();
      break;
    case 'is-active':
      return kubelet.isRunning ? { code: 0, text: 'active\n' } : { code: 3, text: 'inactive\n' };
    default:
      return { code: 1, text: `systemctl ${verb} is not known here\n` };
  }
  return { code: 0, text: '' };
}

/**
 * Stands in for systemd where the suite has its kubelet stopped, changed and started anew: `systemctl` and `sudo` in a folder
 * that is to come first on the suite's PATH.
 */
export async function serveKubeletUnit(folder: string, kubelet: KubeletProcess) {
  const programs = join(folder, 'programs');
  const socket = join(folder, 'systemd.sock');
  mkdirSync(programs);
  const client = join(import.meta.dirname, 'systemctl.ts');
  const script = (name: string, text: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  script('sudo', 'exec "$@"');
  script('systemctl', `exec '${process.execPath}' '${client}' '${socket}' "$@"`);
  const server = createServer(async (request, response) => {
    const words = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()) as string[];
    response.end(JSON.stringify(await answer(kubelet, words)));
  });
  server.listen(socket);
  await once(server, 'listening');
  return { programs, close: () => server.close() };
}
