import { defaultDataDir } from '@wherry/node';
import type { Demo } from './demo.ts';

/** What a node that is up is called by. */
export interface NextSteps {
  kubeconfig: string;
  /** The kubeconfig of the user who called sudo, where the node is the current context now. */
  shared: string | undefined;
  /** What the demo runs. */
  demo: Demo | undefined;
  /** Whether pods outlive this command. */
  keepPods: boolean;
  /** The folder of a node that lives on. */
  detachedIn: string | undefined;
}

/** What can be typed next. */
export function nextSteps({ kubeconfig, shared, demo, keepPods, detachedIn }: NextSteps): string {
  const commands = demo
    ? [
        'kubectl get pods -o wide',
        `kubectl exec -it ${demo.pod} -- sh`,
        `kubectl exec ${demo.pod} -- wget -qO- http://${demo.service}`,
        `kubectl logs -f ${demo.pod}`,
      ]
    : ['kubectl get nodes -o wide', 'npx wherry image list', 'kubectl run NAME --image=IMAGE'];
  const end =
    detachedIn === undefined
      ? `Ctrl-C ends the node${keepPods ? ', and its containers run on' : ' and its pods'}`
      : `npx wherry down${dataDirFlag(detachedIn)} ends it`;
  return [
    `kubeconfig: ${kubeconfig}${shared === undefined ? '' : `, and the current context of ${shared}`}`,
    '',
    'try:',
    ...(shared === undefined ? [`  export KUBECONFIG=${kubeconfig}`] : []),
    ...commands.map((command) => `  ${command}`),
    '',
    end,
  ].join('\n');
}

const dataDirFlag = (dataDir: string) => (dataDir === defaultDataDir ? '' : ` --data-dir ${dataDir}`);
