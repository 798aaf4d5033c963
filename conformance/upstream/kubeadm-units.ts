/** Stands in for systemd where kubeadm looks after the kubelet's unit. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** The service `kubelet` of a machine. */
export interface KubeletUnit {
  readonly isKubeletRunning: boolean;
  startKubelet(): void;
  stopKubelet(): Promise<void>;
}

interface Answer {
  code: number;
  text: string;
}

const done: Answer = { code: 0, text: '' };

async function answer(unit: KubeletUnit, [verb, name]: readonly string[]): Promise<Answer> {
  if (verb === 'daemon-reload') return done;
  if (name !== 'kubelet') return { code: 4, text: `Unit ${name}.service could not be found.\n` };
  const state = unit.isKubeletRunning ? 'active' : 'inactive';
  switch (verb) {
    case 'status':
      return { code: 0, text: `Loaded: loaded\nActive: ${state}\n` };
    case 'is-enabled':
      return { code: 0, text: 'enabled\n' };
    case 'is-active':
      return { code: unit.isKubeletRunning ? 0 : 3, text: `${state}\n` };
    case 'start':
      unit.startKubelet();
      return done;
    case 'restart':
      await unit.stopKubelet();
      unit.startKubelet();
      return done;
    case 'stop':
      await unit.stopKubelet();
      return done;
    default:
      return { code: 1, text: `systemctl ${verb} is not known here\n` };
  }
}

/** Answers e2e-node/service-manager/systemctl.ts at a socket. */
export async function serveUnits(socket: string, unit: KubeletUnit): Promise<{ close(): void }> {
  const server = createServer(async (request, response) => {
    response.end(JSON.stringify(await answer(unit, (await json(request)) as string[])));
  });
  server.listen(socket);
  await once(server, 'listening');
  return { close: () => server.close() };
}
