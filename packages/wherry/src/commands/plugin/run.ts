import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeKubeconfig } from '../../kube/flags.ts';
import type { PluginCall } from './found-plugins.ts';

/** The terminal sends these to all that run in it: the plug-in decides. */
const shared = ['SIGINT', 'SIGQUIT'] as const;
const passedOn = ['SIGTERM', 'SIGHUP'] as const;

/** Runs a plug-in in place of this program, and ends as it ends. It finds the cluster that this program would talk to. */
export async function runPlugin({ path, words }: PluginCall): Promise<void> {
  const kubeconfig = nodeKubeconfig({});
  const env = kubeconfig === undefined ? process.env : { ...process.env, KUBECONFIG: kubeconfig };
  let child: ChildProcess | undefined;
  const wait = () => undefined;
  const passOn = (signal: NodeJS.Signals) => child?.kill(signal);
  // Before it begins: a signal that came in between would end this program alone.
  for (const name of shared) process.on(name, wait);
  for (const name of passedOn) process.on(name, passOn);
  try {
    child = spawn(path, words, { stdio: 'inherit', env });
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    process.exitCode = code ?? 1;
    if (signal === null) return;
    for (const name of [...shared, ...passedOn]) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  } finally {
    for (const name of shared) process.off(name, wait);
    for (const name of passedOn) process.off(name, passOn);
  }
}
