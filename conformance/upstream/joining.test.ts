/** Our kubelet joins a cluster of Kubernetes' own programs with nothing but a bootstrap token. */
import { checkJoining } from '../peers/joining-checks.ts';
import { Processes } from '../peers/joining-node.ts';
import { upstreamPlane } from './control-planes.ts';

checkJoining(upstreamPlane, new Processes());
